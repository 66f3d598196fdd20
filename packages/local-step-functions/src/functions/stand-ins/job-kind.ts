import type { Json, JsonObject } from '@stepwright/asl'

/** A job that `.sync` waits for: what starting it answers, how AWS describes it, and when it counts as failed. */
export interface JobKind {
  submit(parameters: JsonObject, place: JobPlace): JsonObject
  /** What AWS says of such a job that ended well; what a stand-in says takes precedence. */
  describe(parameters: JsonObject, submitted: JsonObject, time: JobTime): JsonObject
  /** What AWS says of such a job whose process died. */
  died(message: string): JsonObject
  hasFailed(job: JsonObject): boolean
}

export interface JobPlace {
  readonly id: string
  /** `us-east-1:000000000000` */
  readonly account: string
}

export interface JobTime {
  readonly startedMs: number
  readonly endedMs: number
}

/** The job that an integration starts; undefined for those whose shapes are not known here. */
export function jobKindOf(service: string, action: string): JobKind | undefined {
  if (service === 'sagemaker') return sageMakerJob(action)
  return kinds[`${service}:${action}`]
}

const glueJobRun: JobKind = {
  submit: (_parameters, { id }) => ({ JobRunId: `jr_${id.replaceAll('-', '')}` }),
  describe: ({ JobName = null, Arguments = {} }, { JobRunId = null }, { startedMs, endedMs }) => ({
    Arguments,
    Attempt: 0,
    CompletedOn: endedMs,
    ExecutionTime: Math.round((endedMs - startedMs) / 1000),
    Id: JobRunId,
    JobName,
    JobRunState: 'SUCCEEDED',
    LastModifiedOn: endedMs,
    LogGroupName: '/aws-glue/jobs',
    PredecessorRuns: [],
    StartedOn: startedMs,
  }),
  died: message => ({ JobRunState: 'FAILED', ErrorMessage: message }),
  hasFailed: ({ JobRunState }) => isOneOf(['FAILED', 'TIMEOUT', 'STOPPED', 'ERROR'], JobRunState),
}

const batchJob: JobKind = {
  submit: ({ JobName = null }, { id, account }) => ({
    JobArn: `arn:aws:batch:${account}:job/${id}`,
    JobId: id,
    JobName,
  }),
  describe: ({ JobDefinition = null, JobQueue = null, Parameters = {} }, submitted, time) => ({
    ...pick(submitted, ['JobArn', 'JobId', 'JobName']),
    Attempts: [],
    CreatedAt: time.startedMs,
    DependsOn: [],
    JobDefinition,
    JobQueue,
    Parameters,
    StartedAt: time.startedMs,
    Status: 'SUCCEEDED',
    StoppedAt: time.endedMs,
  }),
  died: message => ({ Status: 'FAILED', StatusReason: message }),
  hasFailed: ({ Status }) => Status === 'FAILED',
}

const ecsTask: JobKind = {
  submit: ({ Cluster = 'default', TaskDefinition = null }, { id, account }) => ({
    Failures: [],
    Tasks: [
      {
        ClusterArn: `arn:aws:ecs:${account}:cluster/${Cluster}`,
        TaskArn: `arn:aws:ecs:${account}:task/${Cluster}/${id.replaceAll('-', '')}`,
        TaskDefinitionArn: TaskDefinition,
      },
    ],
  }),
  describe: ({ LaunchType }, { Tasks }, { startedMs, endedMs }) => ({
    ...((Tasks as readonly JsonObject[] | undefined)?.[0] ?? {}),
    Containers: [],
    CreatedAt: startedMs,
    DesiredStatus: 'STOPPED',
    LastStatus: 'STOPPED',
    ...(LaunchType === undefined ? {} : { LaunchType }),
    StartedAt: startedMs,
    StopCode: 'EssentialContainerExited',
    StoppedAt: endedMs,
    StoppedReason: 'Essential container in task exited',
  }),
  died: message => ({ Containers: [{ ExitCode: 137, LastStatus: 'STOPPED', Reason: message }] }),
  hasFailed: ({ Containers, StopCode }) =>
    StopCode === 'TaskFailedToStart' ||
    (Array.isArray(Containers) && Containers.some(({ ExitCode = 0 }) => ExitCode !== 0)),
}

/** `createTrainingJob` → `TrainingJobName`, `TrainingJobArn`, `TrainingJobStatus`. */
function sageMakerJob(action: string): JobKind | undefined {
  const [, kind] = /^create(\w+Job)$/.exec(action) ?? []
  if (kind === undefined) return undefined
  const [name, arn, status] = [`${kind}Name`, `${kind}Arn`, `${kind}Status`] as const
  return {
    submit: (parameters, { id, account }) => ({
      [arn]: `arn:aws:sagemaker:${account}:${kind.toLowerCase().replace(/job$/, '-job')}/${parameters[name] ?? id}`,
    }),
    describe: (parameters, submitted, { startedMs, endedMs }) => ({
      ...pick(parameters, [name]),
      ...pick(submitted, [arn]),
      [status]: 'Completed',
      CreationTime: startedMs,
      LastModifiedTime: endedMs,
    }),
    died: message => ({ [status]: 'Failed', FailureReason: message }),
    hasFailed: job => isOneOf(['Failed', 'Stopped'], job[status]),
  }
}

const kinds: Readonly<Record<string, JobKind>> = {
  'glue:startJobRun': glueJobRun,
  'batch:submitJob': batchJob,
  'ecs:runTask': ecsTask,
}

function isOneOf(values: readonly string[], value: Json | undefined): boolean {
  return typeof value === 'string' && values.includes(value)
}

function pick(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)))
}
