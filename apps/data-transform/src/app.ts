import { defineApp } from '@stepwright/app'
import { CRAWLER_FAILED } from '@stepwright/errors'
import { idempotencyTable, idempotencyTtlAttribute } from '@stepwright/idempotency/dynamodb'
import { toJSONSchema, type ZodType } from 'zod'
import { acceptSchema } from './accept-schema.ts'
import { checkSchema } from './check-schema.ts'
import { failPartition } from './fail-partition.ts'
import { planTransform } from './plan-transform.ts'
import { preflight } from './preflight.ts'
import { publishPartition } from './publish-partition.ts'
import {
  lockSettings,
  planSettings,
  preflightSettings,
  publishSettings,
  schemaSettings,
  starterSettings,
} from './settings.ts'
import { startTransform } from './start-transform.ts'
import { summarizeTransform } from './summarize-transform.ts'
import { transformInput } from './transform-input.ts'

const module = 'src/handlers.ts'
const jobName = 'data-transform-job'
const crawlerName = 'data-transform-curated'

export const app = /* @__PURE__ */ defineApp({
  name: 'data-transform',
  root: new URL('..', import.meta.url),
  resources: {
    buckets: {
      raw: { bucketName: 'data-transform-raw' },
      curated: { bucketName: 'data-transform-curated' },
    },
    tables: {
      locks: {
        ...idempotencyTable({ tableName: 'data-transform-locks' }),
        TimeToLiveAttribute: idempotencyTtlAttribute,
      },
    },
    glueJobs: {
      transform: {
        jobName,
        script: 'glue/transform.py',
        timeoutMinutes: 55,
        grants: [
          { bucket: 'raw', may: ['read'] },
          // Spark puts its files in place by deleting temporary ones.
          { bucket: 'curated', may: ['read', 'write', 'delete'] },
          { table: 'locks', may: ['write'] },
        ],
        actions: [
          's3:GetObject',
          's3:PutObject',
          's3:AbortMultipartUpload',
          's3:DeleteObject',
          'dynamodb:UpdateItem',
        ],
      },
    },
    crawlers: {
      curated: {
        crawlerName,
        bucket: 'curated',
        databaseName: 'data_transform',
        // The files of runs, for their columns: of manifests and symlinks a crawler understands nothing.
        exclusions: ['_settings/**', '_catalog/**', '**/_schema/**', '**/symlinks', '**.json'],
      },
    },
  },
  functions: {
    PlanTransform: {
      module,
      export: 'plan',
      task: planTransform,
      settings: planSettings,
      timeoutSeconds: 20,
      environment: { RAW_BUCKET: { bucket: 'raw', may: [] } },
    },
    Preflight: {
      module,
      export: 'preflight',
      task: preflight,
      settings: preflightSettings,
      timeoutSeconds: 55,
      environment: {
        RAW_BUCKET: { bucket: 'raw', may: ['read'] },
        CURATED_BUCKET: { bucket: 'curated', may: ['read', 'write'] },
        LOCK_TABLE: { table: 'locks', may: ['write'] },
      },
    },
    PublishPartition: {
      module,
      export: 'publish',
      task: publishPartition,
      settings: publishSettings,
      timeoutSeconds: 110,
      environment: {
        CURATED_BUCKET: { bucket: 'curated', may: ['read', 'write', 'delete'] },
        LOCK_TABLE: { table: 'locks', may: ['write'] },
      },
    },
    FailPartition: {
      module,
      export: 'fail',
      task: failPartition,
      settings: lockSettings,
      timeoutSeconds: 20,
      environment: { LOCK_TABLE: { table: 'locks', may: ['write'] } },
    },
    CheckSchema: {
      module,
      export: 'check',
      task: checkSchema,
      settings: schemaSettings,
      timeoutSeconds: 20,
      environment: { CURATED_BUCKET: { bucket: 'curated', may: ['read'] } },
    },
    AcceptSchema: {
      module,
      export: 'accept',
      task: acceptSchema,
      settings: schemaSettings,
      timeoutSeconds: 20,
      environment: { CURATED_BUCKET: { bucket: 'curated', may: ['read', 'write'] } },
    },
    SummarizeTransform: { module, export: 'summarize', task: summarizeTransform, timeoutSeconds: 20 },
    StartTransform: {
      module,
      export: 'start',
      task: startTransform,
      settings: starterSettings,
      environment: { STATE_MACHINE_ARN: { workflow: 'transform', may: ['start'] }, ENVIRONMENT: 'dev' },
    },
  },
  workflows: {
    transform: {
      definition: 'transform.asl.json',
      input: transformInput,
      substitutions: { GlueJobName: { glueJob: 'transform' }, CrawlerName: { crawler: 'curated' } },
      errors: [CRAWLER_FAILED],
    },
  },
  triggers: {
    PartitionComplete: { objectCreated: { bucket: 'raw', suffix: '/_SUCCESS' }, calls: 'StartTransform' },
  },
  standIns: {
    'glue:startJobRun': {
      module: 'src/local/glue-job.ts',
      environment: {
        RAW_BUCKET: { bucket: 'raw', may: ['read'] },
        CURATED_BUCKET: { bucket: 'curated', may: ['read', 'write'] },
        // DuckDB's threads would each keep what they have freed.
        MALLOC_ARENA_MAX: '2',
      },
    },
    'aws-sdk:glue:startCrawler': {
      module: 'src/local/crawler.ts',
      environment: { CURATED_BUCKET: { bucket: 'curated', may: ['read', 'write'] } },
    },
    'aws-sdk:glue:getCrawler': {
      module: 'src/local/crawler.ts',
      environment: { CURATED_BUCKET: { bucket: 'curated', may: ['read', 'write'] } },
    },
  },
  metrics: {
    PartitionsPublished: { description: 'Partitions that were published.', by: ['PublishPartition'] },
    PartitionsFailed: { description: 'Partitions that were not published.', by: ['FailPartition'] },
  },
  alarms: {
    TransformFailed: {
      description: 'A transform failed; the cause of the execution is its payload.',
      runbook: 'docs/runbooks/execution-failed.md',
      metric: { workflow: 'transform', name: 'ExecutionsFailed' },
      above: 0,
    },
    TransformTimedOut: {
      description: 'A transform took more than a day, and left no payload.',
      runbook: 'docs/runbooks/execution-timed-out.md',
      metric: { workflow: 'transform', name: 'ExecutionsTimedOut' },
      above: 0,
    },
  },
  toJsonSchema: (schema, io) => toJSONSchema(schema as unknown as ZodType, { io, unrepresentable: 'any' }),
})
