import { defineApp } from '@stepwright/app'
import { auditTable } from '@stepwright/audit-log/dynamodb'
import { toJSONSchema, type ZodType } from 'zod'
import { csvProcessor, startProcessing } from './csv-processor.ts'
import { migrateDatabase } from './migrate-database.ts'
import { objectCreated } from './object-created.ts'
import { databaseSettings, processorSettings, starterSettings } from './settings.ts'

const module = 'src/handlers.ts'

/** Both figures are the design's. */
const reason = 'the limit of the whole, 600 s, is meant to cut retries of slow states short'

/** What lives long is little, however large the file: a heap that grows lazily would only fill the machine. */
const frugal = { NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=300', MALLOC_ARENA_MAX: 1 }

export const app = /* @__PURE__ */ defineApp({
  name: 'csv-processor',
  root: new URL('..', import.meta.url),
  resources: {
    buckets: {
      input: { bucketName: 'csv-processing-bucket', expiry: [{ prefix: 'chunks/', days: 30 }] },
      output: { bucketName: 'csv-processing-output-bucket' },
    },
    tables: { audit: auditTable({ tableName: 'csv-processing-audit' }) },
    secrets: {
      auditKeys: {
        description: 'Signs the audit trails: id:base64, several separated by commas, the first one signs.',
        localValue: `local:${Buffer.alloc(32, 'csv-processor').toString('base64')}`,
      },
    },
  },
  database: { migratedBy: 'MigrateDatabase' },
  functions: {
    CsvProcessor: {
      module,
      export: 'handler',
      task: csvProcessor,
      settings: processorSettings,
      timeoutSeconds: 300,
      environment: {
        DATABASE_URL: { database: 'url' },
        AUDIT_TABLE_NAME: { table: 'audit', may: ['read', 'append'] },
        AUDIT_KEYS: { secret: 'auditKeys' },
        INPUT_BUCKET: { bucket: 'input', may: ['read data/*', 'read chunks/*', 'write chunks/*'] },
        OUTPUT_BUCKET: { bucket: 'output', may: ['read results/*', 'write results/*'] },
        ...frugal,
      },
    },
    StartProcessing: {
      module,
      export: 'start',
      task: startProcessing,
      settings: starterSettings,
      environment: { STATE_MACHINE_ARN: { workflow: 'process', may: ['start'] } },
    },
    MigrateDatabase: {
      module,
      export: 'migrate',
      task: migrateDatabase,
      settings: databaseSettings,
      timeoutSeconds: 300,
      environment: { DATABASE_URL: { database: 'url' } },
    },
  },
  workflows: {
    process: {
      stateMachineName: 'csv-parallel-processing-workflow',
      definition: 'csv-parallel-processing-workflow.asl.json',
      input: objectCreated,
      substitutions: { OutputBucket: { bucket: 'output' } },
      known: {
        '$.s3.bucket': { bucket: 'input' },
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
  },
  triggers: {
    LogUploaded: { objectCreated: { bucket: 'input', prefix: 'data/' }, calls: 'StartProcessing' },
  },
  metrics: {
    CSVValidationDuration: {
      description: 'How long the check of a file took.',
      unit: 'Seconds',
      by: ['CsvProcessor'],
    },
    UserRecordsProcessed: { description: 'Rows of the files that were processed.', by: ['CsvProcessor'] },
    ProcessingErrors: { description: 'Rows that were not reflected.', by: ['CsvProcessor'] },
  },
  alarms: {
    ExecutionFailed: {
      description: 'A file was not processed, or not within its tolerance.',
      runbook: 'docs/runbooks/execution-failed.md',
      metric: { workflow: 'process', name: 'ExecutionsFailed' },
      above: 0,
      periodMinutes: 1,
    },
    ExecutionTimedOut: {
      description: 'A file took more than 600 s, and may be reflected in part.',
      runbook: 'docs/runbooks/execution-timed-out.md',
      metric: { workflow: 'process', name: 'ExecutionsTimedOut' },
      above: 0,
      periodMinutes: 1,
    },
    TrailUnsealed: {
      description: 'An execution was stopped before its last state, which seals its trail.',
      runbook: 'docs/runbooks/audit-trail-unsealed.md',
      metric: { workflow: 'process', name: 'ExecutionsAborted' },
      above: 0,
    },
    ProcessingIsSlow: {
      description: 'A file took more than 300 s: 1,000 rows are meant to take less.',
      runbook: 'docs/runbooks/slow.md',
      metric: { workflow: 'process', name: 'ExecutionTime' },
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
  toJsonSchema: (schema, io) => toJSONSchema(schema as unknown as ZodType, { io, unrepresentable: 'any' }),
})
