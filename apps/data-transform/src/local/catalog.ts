import type { ObjectStore } from '@stepwright/object-store'
import type { Column } from '@stepwright/partitions'
import * as z from 'zod/mini'
import { columnSchema, readManifest } from '../manifest.ts'

/** A table as the Glue catalog has it. */
export const catalogTable = z.object({
  database: z.string(),
  table: z.string(),
  columns: z.array(columnSchema),
  partitions: z.array(z.string()),
})
export type CatalogTable = z.infer<typeof catalogTable>

const manifestPath = /^([^/_][^/]*)\/([^/_][^/]*)\/ds=(\d{4}-\d{2}-\d{2})\/_manifest\.json$/

export function catalogKey({ domain, table_name }: { domain: string; table_name: string }): string {
  return `_catalog/${domain}/${table_name}.json`
}

/** What a crawler does: every table with its columns, the newest day's first, and its partitions. */
export async function crawl(
  curated: Pick<ObjectStore, 'get' | 'put' | 'list'>,
  signal: AbortSignal,
): Promise<void> {
  const tables = new Map<string, { domain: string; table_name: string; days: string[] }>()
  for await (const { key } of curated.list('', { signal })) {
    const [, domain = '', table_name = '', ds] = manifestPath.exec(key) ?? []
    if (ds === undefined) continue
    const name = `${domain}/${table_name}`
    const table = tables.get(name) ?? { domain, table_name, days: [] }
    table.days.push(ds)
    tables.set(name, table)
  }
  for (const { domain, table_name, days } of tables.values()) {
    const columns = new Map<string, Column>()
    const partitions: string[] = []
    for (const ds of days.toSorted().toReversed()) {
      const manifest = await readManifest(curated, { domain, table_name, ds }, signal)
      if (manifest === undefined) continue
      partitions.unshift(`ds=${ds}`)
      for (const column of manifest.value.columns) {
        if (!columns.has(column.name)) columns.set(column.name, column)
      }
    }
    const table: CatalogTable = {
      database: domain,
      table: table_name,
      columns: [...columns.values()],
      partitions,
    }
    await curated.put(catalogKey({ domain, table_name }), JSON.stringify(table), { signal })
  }
}
