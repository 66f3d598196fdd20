import type { Permission } from '@stepwright/task'

type Needs<Port extends string> = {
  readonly ports: Readonly<Record<Port, string>>
  readonly permissions: readonly Permission[]
}

/** What a handler needs that only reads and changes jobs. */
export const jobNeeds: Needs<'jobs' | 'refusal'> = {
  ports: {
    jobs: 'the store of the jobs',
    refusal: 'what somebody hears who asks for the job of another; optional',
  },
  permissions: [
    { actions: ['rds-db:connect'], on: 'the database of the jobs, where it authenticates by IAM' },
  ],
}

/** What one needs that launches them, too. */
export const launchNeeds: Needs<'jobs' | 'refusal' | 'launcher' | 'capacity'> = {
  ports: {
    ...jobNeeds.ports,
    launcher: 'starts the work of a job, once however often it is called',
    capacity: 'how many jobs may run at once; optional',
  },
  permissions: [
    ...jobNeeds.permissions,
    { actions: ['states:StartExecution'], on: 'the state machine that does the work' },
  ],
}

/** What one needs that adds them, too. */
export const insertNeeds: Needs<keyof typeof launchNeeds.ports | 'maxOpenJobs'> = {
  ports: { ...launchNeeds.ports, maxOpenJobs: 'how many jobs of a user may be open; optional' },
  permissions: launchNeeds.permissions,
}

/** What one needs that stops them, too. */
export const stopNeeds: Needs<'jobs' | 'refusal' | 'stopper'> = {
  ports: { ...jobNeeds.ports, stopper: 'stops the work of a job at once; optional' },
  permissions: [
    ...jobNeeds.permissions,
    {
      actions: ['states:StopExecution'],
      on: 'the executions of the jobs, where stopper stops them',
      optional: true,
    },
  ],
}
