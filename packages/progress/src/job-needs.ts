interface Permission {
  readonly actions: readonly string[]
  readonly on: string
}

/** What a handler needs that only reads and changes jobs. */
export const jobNeeds: {
  readonly ports: { readonly jobs: string }
  readonly permissions: readonly Permission[]
} = {
  ports: { jobs: 'the store of the jobs' },
  permissions: [
    { actions: ['rds-db:connect'], on: 'the database of the jobs, where it authenticates by IAM' },
  ],
}

/** What one needs that launches them, too. */
export const launchNeeds: {
  readonly ports: { readonly jobs: string; readonly launcher: string }
  readonly permissions: readonly Permission[]
} = {
  ports: { ...jobNeeds.ports, launcher: 'starts the work of a job, once however often it is called' },
  permissions: [
    ...jobNeeds.permissions,
    { actions: ['states:StartExecution'], on: 'the state machine that does the work' },
  ],
}
