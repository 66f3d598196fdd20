import { defineApp } from '@stepwright/app'
import { objectCreatedEvent } from '@stepwright/task/object-created'
import { alarms, metrics } from './alarms.ts'
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
  metrics,
  alarms,
})
