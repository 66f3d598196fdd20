import type { App } from './app.ts'

/** What things are called where they are deployed, by the names that the app has for them. */
export interface PhysicalNames {
  readonly functions: Readonly<Record<string, string>>
  readonly workflows: Readonly<Record<string, string>>
  readonly buckets: Readonly<Record<string, string>>
  readonly tables: Readonly<Record<string, string>>
  readonly queues: Readonly<Record<string, string>>
  /** Where the messages of each queue go that were received too often. */
  readonly deadLetterQueues: Readonly<Record<string, string>>
  readonly glueJobs: Readonly<Record<string, string>>
  readonly configurationSets: Readonly<Record<string, string>>
  readonly catalogDatabases: Readonly<Record<string, string>>
}

export function physicalNames({ name, functions, workflows = {}, resources = {} }: App): PhysicalNames {
  const {
    buckets = {},
    tables = {},
    queues = {},
    glueJobs = {},
    catalogDatabases = {},
    configurationSets = {},
  } = resources
  return {
    functions: mapValues(functions, (_, key) => `${name}-${key}`),
    workflows: mapValues(workflows, ({ stateMachineName }, key) => stateMachineName ?? `${name}-${key}`),
    buckets: mapValues(buckets, ({ bucketName }, key) => bucketName ?? `${name}-${toKebab(key)}`),
    tables: mapValues(tables, ({ TableName }, key) => TableName ?? `${name}-${key}`),
    queues: mapValues(queues, ({ fifo }, key) => `${name}-${key}${fifo ? '.fifo' : ''}`),
    deadLetterQueues: mapValues(queues, ({ fifo }, key) => `${name}-${key}-dead${fifo ? '.fifo' : ''}`),
    glueJobs: mapValues(glueJobs, ({ jobName }) => jobName),
    configurationSets: mapValues(
      configurationSets,
      ({ configurationSetName }, key) => configurationSetName ?? `${name}-${toKebab(key)}`,
    ),
    catalogDatabases: mapValues(catalogDatabases, ({ databaseName }) => databaseName),
  }
}

function mapValues<V>(
  record: Readonly<Record<string, V>>,
  to: (value: V, key: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value, key)]))
}

/** Bucket names have no capitals. */
function toKebab(key: string): string {
  return key.replaceAll(/(?<=[a-z0-9])[A-Z]/g, letter => `-${letter}`).toLowerCase()
}
