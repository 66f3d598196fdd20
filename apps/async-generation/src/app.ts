import { defineApp } from '@stepwright/app'
import * as jobs from '@stepwright/progress/tasks'
import { toJSONSchema } from 'zod'
import * as z from 'zod/mini'
import { generate } from './generate.ts'
import { updateProcessingState } from './job-tasks.ts'
import { migrateDatabase } from './migrations.ts'
import * as settings from './settings.ts'
import { startGeneration } from './start-generation.ts'

const module = 'src/handlers.ts'
/** The limits of the design. */
const maxStarts = 50
const maxWorkers = 10
const maxSeconds = 300
const retentionDays = 90
const maxRetries = 3

/** Which model generates, a secret says; a profile spreads its calls over regions. */
const models = [
  `arn:\${AWS::Partition}:bedrock:*::foundation-model/*`,
  `arn:\${AWS::Partition}:bedrock:\${AWS::Region}:\${AWS::AccountId}:inference-profile/*`,
] as const

/** Who ends jobs. */
const ends = ['UpdateProcessingState', 'EndStuckJobs']

const database = { DATABASE_URL: { database: 'url' } } as const
const onDatabase = { settings: settings.databaseSettings, environment: database } as const
const launching = {
  settings: settings.launchSettings,
  environment: {
    ...database,
    STATE_MACHINE_ARN: { workflow: 'generation', may: ['start'] },
    MAX_WORKERS: maxWorkers,
  },
} as const
/** Answers at once. */
const api = { module, timeoutSeconds: 25 } as const
const step = { module, timeoutSeconds: 25 } as const
const chore = { module, timeoutSeconds: 280 } as const

export const app = defineApp({
  name: 'async-generation',
  root: new URL('..', import.meta.url),
  resources: {
    secrets: {
      model: {
        description: 'The id of the Bedrock model that generates; "local" writes texts without a model.',
        localValue: 'local',
      },
    },
  },
  database: { migratedBy: 'MigrateDatabase' },
  functions: {
    AsyncProcessingHandler: {
      ...api,
      ...launching,
      export: 'asyncProcessing',
      task: startGeneration,
      memoryMb: 512,
      timeoutSeconds: 29, // as long as API Gateway waits
      concurrency: maxStarts,
    },
    StatusCheckHandler: { ...api, ...onDatabase, export: 'statusCheck', task: jobs.getJob },
    ListHandler: { ...api, ...onDatabase, export: 'listProcesses', task: jobs.listJobs },
    RetryHandler: {
      ...api,
      export: 'retry',
      task: jobs.retryJob,
      settings: settings.retrySettings,
      environment: { ...launching.environment, MAX_RETRIES: maxRetries },
    },
    CancelHandler: {
      ...api,
      export: 'cancel',
      task: jobs.cancelJob,
      settings: settings.executionSettings,
      environment: { ...database, STATE_MACHINE_ARN: { workflow: 'generation', may: ['stop'] } },
    },
    EventsHandler: {
      module,
      ...onDatabase,
      export: 'processEvents',
      task: jobs.followJob,
      timeoutSeconds: 900,
    },
    UpdateProcessingState: {
      ...step,
      ...onDatabase,
      export: 'updateProcessingState',
      task: updateProcessingState,
    },
    AIGenerationWorker: {
      module,
      export: 'aiGenerationWorker',
      task: generate,
      memoryMb: 1024,
      timeoutSeconds: maxSeconds,
      concurrency: maxWorkers,
      settings: settings.workerSettings,
      environment: {
        ...database,
        STATE_MACHINE_ARN: { workflow: 'generation', may: ['answer'] },
        MODEL: { secret: 'model' },
        PARALLEL_CALLS: 4,
      },
      permissions: [{ actions: ['bedrock:InvokeModel'], resources: models }],
    },
    LaunchWaiting: { ...step, ...launching, export: 'launchWaiting', task: jobs.launchWaiting },
    EndStuckJobs: {
      ...chore,
      export: 'endStuckJobs',
      task: jobs.endStuckJobs,
      settings: settings.executionSettings,
      environment: { ...database, STATE_MACHINE_ARN: { workflow: 'generation', may: ['describe'] } },
    },
    WatchJobs: { ...step, ...onDatabase, export: 'watchJobs', task: jobs.watchJobs },
    PurgeJobs: { ...chore, ...onDatabase, export: 'purgeJobs', task: jobs.purgeJobs },
    MigrateDatabase: { ...chore, ...onDatabase, export: 'migrateDatabase', task: migrateDatabase },
  },
  workflows: {
    generation: {
      definition: 'generation.asl.json',
      input: z.object({ processId: z.string() }),
      accept: [
        {
          rule: 'kinds/retryable-not-retried',
          pointer: '/States/ExecuteAIGeneration/Retry',
          reason: 'The design retries four errors. One that ran out of time is TIMEOUT, any other FAILED.',
        },
        {
          rule: 'routes/lambda-transient',
          pointer: '/States/ExecuteAIGeneration/Retry',
          reason: 'What took 300 s is TIMEOUT, as the design says, and not tried for another 300.',
        },
        {
          rule: 'limits/retry-exceeds-timeout',
          pointer: '/States/ExecuteAIGeneration/Retry/0',
          reason: 'The ten minutes of the machine are the limit; the reaper ends its job as TIMEOUT.',
        },
        {
          rule: 'routes/failure-succeeds',
          pointer: '/States/ProcessingCancelled/Type',
          reason: 'Its owner cancelled the job: nobody has to look.',
        },
      ],
    },
  },
  routes: {
    'POST /api/ai/async/generate': { function: 'AsyncProcessingHandler' },
    'GET /api/ai/async': { function: 'ListHandler' },
    'GET /api/ai/async/status/{processId}': { function: 'StatusCheckHandler' },
    'GET /api/ai/async/status/{processId}/events': { function: 'EventsHandler', streaming: true },
    'POST /api/ai/async/retry/{processId}': { function: 'RetryHandler' },
    'POST /api/ai/async/cancel/{processId}': { function: 'CancelHandler' },
  },
  site: { directory: 'web' },
  triggers: {
    ExecutionEnded: {
      event: {
        source: ['aws.states'],
        'detail-type': ['Step Functions Execution Status Change'],
        detail: { status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'] },
      },
      calls: 'LaunchWaiting',
    },
    Launch: { schedule: 'rate(1 minute)', calls: 'LaunchWaiting' },
    Reap: { schedule: 'rate(1 minute)', input: {}, calls: 'EndStuckJobs' },
    Watch: { schedule: 'rate(1 minute)', input: {}, calls: 'WatchJobs' },
    Purge: { schedule: 'rate(1 day)', input: { retentionDays }, calls: 'PurgeJobs' },
  },
  metrics: {
    AsyncProcessingStarted: {
      description: 'Generations that were started.',
      by: ['AsyncProcessingHandler', 'RetryHandler'],
    },
    AsyncProcessingCompleted: { description: 'Generations that were completed.', by: ends },
    AsyncProcessingFailed: {
      description: 'Generations that failed.',
      by: [...ends, 'AsyncProcessingHandler'],
    },
    AsyncProcessingTimeout: { description: 'Generations that took too long.', by: ends },
    ProcessingDuration: {
      description: 'How long a generation took.',
      unit: 'Milliseconds',
      by: ['UpdateProcessingState'],
    },
    QueueDepth: { description: 'Generations that wait for a worker.', by: ['WatchJobs'] },
    StaleJobs: {
      description: 'Generations whose workers are silent, or that take too long.',
      by: ['WatchJobs'],
    },
    InputTokens: { description: 'What the model was given.', by: ['AIGenerationWorker'] },
    OutputTokens: { description: 'What the model wrote.', by: ['AIGenerationWorker'] },
  },
  alarms: {
    ErrorRate: {
      description: 'More than 5 % of the generations failed: look at the errors of the worker.',
      runbook: 'docs/runbooks/error-rate.md',
      metric: { metric: 'AsyncProcessingFailed', percentOf: 'AsyncProcessingStarted' },
      above: 5,
    },
    TimeoutRate: {
      description: 'More than 10 % of the generations took too long: look at the latency of the model.',
      runbook: 'docs/runbooks/timeout-rate.md',
      metric: { metric: 'AsyncProcessingTimeout', percentOf: 'AsyncProcessingStarted' },
      above: 10,
    },
    SlowProcessing: {
      description: 'Generations take more than 5 minutes on average: look at the latency of the model.',
      runbook: 'docs/runbooks/slow.md',
      metric: { metric: 'ProcessingDuration' },
      statistic: 'average',
      above: 300_000,
    },
    DeepQueue: {
      description: 'More than 100 generations wait: the workers are too few, or none is launched.',
      runbook: 'docs/runbooks/queue-depth.md',
      metric: { metric: 'QueueDepth' },
      statistic: 'maximum',
      above: 100,
    },
  },
  toJsonSchema: (schema, io) => toJSONSchema(schema as never, { io }) as Record<string, unknown>,
})
