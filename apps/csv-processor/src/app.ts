import { defineApp } from '@stepwright/app'
import { objectCreatedEvent } from '@stepwright/task/object-created'
import * as functions from './functions/index.ts'
import * as resources from './resources.ts'

/** Both figures are the design's. */
const reason = 'the limit of the whole, 600 s, is meant to cut retries of slow states short'

export const app = defineApp({
  name: 'csv-processor',
  root: new URL('..', import.meta.url),
  resources,
  functions,
  migratedBy: functions.MigrateDatabase,
  workflows: [
    [
      resources.processing,
      {
        stateMachineName: 'csv-parallel-processing-workflow',
        definition: 'csv-parallel-processing-workflow.asl.json',
        logging: { includeData: true }, // as the design has it
        input: objectCreatedEvent,
        substitutions: { OutputBucket: resources.output },
        known: {
          '$.s3.bucket': resources.input,
          '$.validation.manifest.key': 'chunks/*',
          '$.mapInput.resultPrefix': 'results/*',
        },
        accept: [
          { rule: 'limits/retry-exceeds-timeout', pointer: '/States/ValidateCSVFile/Retry/0', reason },
          { rule: 'limits/retry-exceeds-timeout', pointer: '/States/AggregateResults/Retry/1', reason },
          {
            rule: 'flow/optional-field',
            pointer: '/States/ProcessUserDataParallel/ItemReader/Parameters/Key.$',
            reason: 'only a valid file gets there, and that has a manifest',
          },
        ],
      },
    ],
  ],
  triggers: {
    LogUploaded: {
      objectCreated: { bucket: resources.input, prefix: 'data/' },
      calls: functions.StartProcessing,
    },
    ProcessingCutShort: {
      event: {
        source: ['aws.states'],
        'detail-type': ['Step Functions Execution Status Change'],
        detail: {
          status: ['TIMED_OUT', 'ABORTED'],
          stateMachineArn: [{ wildcard: '*:stateMachine:csv-parallel-processing-workflow*' }],
        },
      },
      calls: functions.RecordCutShort,
    },
  },
  metrics: {
    CSVValidationDuration: {
      description: 'How long the check of a file took.',
      unit: 'Seconds',
      by: [functions.CsvProcessor],
    },
    UserRecordsProcessed: {
      description: 'Rows of the files that were processed.',
      by: [functions.CsvProcessor],
    },
    ProcessingErrors: { description: 'Rows that were not reflected.', by: [functions.CsvProcessor] },
  },
  alarms: {
    ExecutionFailed: {
      description: 'A file was not processed, or not within its tolerance.',
      runbook: 'docs/runbooks/execution-failed.md',
      metric: { workflow: resources.processing, name: 'ExecutionsFailed' },
      above: 0,
      periodMinutes: 1,
    },
    ExecutionTimedOut: {
      description: 'A file took more than 600 s, and may be reflected in part.',
      runbook: 'docs/runbooks/execution-timed-out.md',
      metric: { workflow: resources.processing, name: 'ExecutionsTimedOut' },
      above: 0,
      periodMinutes: 1,
    },
    TrailUnsealed: {
      description: 'An execution was stopped before its last state, which seals its trail.',
      runbook: 'docs/runbooks/audit-trail-unsealed.md',
      metric: { workflow: resources.processing, name: 'ExecutionsAborted' },
      above: 0,
    },
    ProcessingIsSlow: {
      description: 'A file took more than 300 s: 1,000 rows are meant to take less.',
      runbook: 'docs/runbooks/slow.md',
      metric: { workflow: resources.processing, name: 'ExecutionTime' },
      statistic: 'maximum',
      above: 300_000,
    },
    ManyRowsFail: {
      description: 'More rows failed within an hour than a single file may have.',
      runbook: 'docs/runbooks/rows-failing.md',
      metric: { metric: 'ProcessingErrors' },
      above: 50,
      periodMinutes: 60,
    },
  },
})
