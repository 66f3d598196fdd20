import { defineApp } from '@stepwright/app'
import * as functions from './functions/index.ts'
import * as resources from './resources.ts'
import * as standIns from './stand-ins/index.ts'
import { transformInput } from './transform-input.ts'

const { transform } = resources

export const app = defineApp({
  name: 'data-transform',
  root: new URL('..', import.meta.url),
  resources,
  functions,
  standIns,
  workflows: [
    [
      transform,
      {
        definition: 'transform.asl.json',
        input: transformInput,
        substitutions: { GlueJobName: resources.transformJob, CatalogDatabase: resources.catalog },
      },
    ],
  ],
  triggers: {
    PartitionComplete: {
      objectCreated: { bucket: resources.raw, suffix: '/_SUCCESS' },
      calls: functions.StartTransform,
    },
  },
  metrics: {
    PartitionsPublished: {
      description: 'Partitions that were published.',
      by: [functions.PublishPartition],
    },
    PartitionsFailed: { description: 'Partitions that were not published.', by: [functions.FailPartition] },
  },
  alarms: {
    TransformFailed: {
      description: 'A transform failed; the cause of the execution is its payload.',
      runbook: 'docs/runbooks/execution-failed.md',
      metric: { workflow: transform, name: 'ExecutionsFailed' },
      above: 0,
    },
    TransformTimedOut: {
      description: 'A transform took more than a day, and left no payload.',
      runbook: 'docs/runbooks/execution-timed-out.md',
      metric: { workflow: transform, name: 'ExecutionsTimedOut' },
      above: 0,
    },
  },
})
