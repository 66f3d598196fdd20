import { S3Client } from '@aws-sdk/client-s3'
import { readText } from '@stepwright/object-store'
import { createS3ObjectStore } from '@stepwright/object-store/s3'
import * as z from 'zod/mini'
import { rawPrefixes, tableSettingsKey } from './dataset.ts'
import { type CatalogTable, catalogKey, catalogTable } from './local/catalog.ts'
import { type FailurePayload, failurePayload, type TransformOutput, transformOutput } from './outputs.ts'

/** The part of a running app that is needed: `await startApp(app)` has it. */
export interface TransformCloud {
  readonly services: {
    readonly s3: {
      readonly endpoint: string
      readonly region: string
      readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
    }
  }
  readonly names: { readonly buckets: Readonly<Record<string, string>> }
  start(workflow: 'transform', input: unknown, name: string): Promise<string>
  ended(
    workflow: 'transform',
    name: string,
  ): Promise<{ readonly output?: string | null; readonly cause?: string | null }>
}

export interface TransformDemo {
  /** Two good days, and one that breaks a rule. */
  readonly failure: FailurePayload
  /** The same range once that day is mended. */
  readonly mended: TransformOutput
  /** What the catalog has. */
  readonly table: CatalogTable
}

const days = ['2025-09-05', '2025-09-06', '2025-09-07']

/** Fills in three days, the second of which has a price below zero; mends it, and fills in what was missing. */
export async function demonstrateTransform(cloud: TransformCloud): Promise<TransformDemo> {
  const dataset = { domain: 'daily-prices-data', table_name: 'prices' }
  const { endpoint, region, credentials } = cloud.services.s3
  const client = new S3Client({ endpoint, region, credentials })
  const raw = createS3ObjectStore({ bucket: cloud.names.buckets['raw'] ?? '', client })
  const curated = createS3ObjectStore({ bucket: cloud.names.buckets['curated'] ?? '', client })
  const put = async (ds: string, price: number): Promise<void> => {
    const lines = [price, price + 1, price + 2].map((each, id) =>
      JSON.stringify({ id, price: each, at: `${ds}T09:00:00+09:00` }),
    )
    await raw.put(`${rawPrefixes({ ...dataset, ds })[0]}prices.jsonl`, lines.join('\n'))
  }
  const run = async (name: string) => {
    const date_range = { start: days[0], end: days.at(-1) }
    await cloud.start('transform', { environment: 'dev', ...dataset, date_range, execution_id: name }, name)
    return cloud.ended('transform', name)
  }
  try {
    const rules = [{ rule: 'range', column: 'price', minimum: 0 }]
    await curated.put(tableSettingsKey(dataset), JSON.stringify({ rules }))
    for (const ds of days) await put(ds, ds === days[1] ? -1 : 10)
    const { cause } = await run('three-days')
    await put(days[1] ?? '', 1)
    const { output } = await run('mended')
    const table = await readText(await curated.get(catalogKey(dataset)))
    return {
      failure: z.parse(failurePayload, JSON.parse(cause ?? 'null')),
      mended: z.parse(transformOutput, JSON.parse(output ?? 'null')),
      table: z.parse(catalogTable, JSON.parse(table)),
    }
  } finally {
    client.destroy()
  }
}
