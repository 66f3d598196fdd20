import { DataValidationError, isTaskError, SCHEMA_CHECK_FAILED, type TaskError } from '@stepwright/errors'
import { type ObjectStore, readJson, type StoredJson } from '@stepwright/object-store'
import { updateJson } from '@stepwright/partitions'
import { type Dataset, datasetPrefix, type Partition, typesKey } from './dataset.ts'
import { toJsonObjects } from './json-objects.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { canRead, parseType, sameName } from './typing/column-type.ts'
import {
  assumeColumns,
  type ColumnEvidence,
  type GivenTypes,
  staleColumns,
  type TableColumn,
  type TableSchema,
  tableSchema,
  type WrittenColumn,
  widenColumns,
} from './typing/table-schema.ts'

type Curated = Pick<ObjectStore, 'get' | 'put' | 'list'>

export interface KnownTable {
  readonly schema: TableSchema
  /** What it takes to replace it. */
  readonly stored: StoredJson<TableSchema> | undefined
}

/**
 * What is known of a table. Of one that was published before there was evidence, the newest day says the types.
 * @throws SCHEMA_CHECK_FAILED where it is damaged
 */
export async function readTable(
  curated: Pick<ObjectStore, 'get' | 'list'>,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<KnownTable> {
  const key = typesKey(dataset)
  const stored = await readJson(curated, key, tableSchema, { signal }).catch(cause => {
    throw damaged(key, cause)
  })
  return { schema: stored?.value ?? (await assumeTable(curated, dataset, signal)), stored }
}

function damaged(key: string, cause: unknown): TaskError {
  return new SCHEMA_CHECK_FAILED(`the types of the table (${key}) could not be read`, { cause })
}

async function assumeTable(
  curated: Pick<ObjectStore, 'get' | 'list'>,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<TableSchema> {
  const days = await listDays(curated, dataset, signal)
  const newest = days.at(-1)
  const manifest = newest === undefined ? undefined : await readManifest(curated, newest, signal)
  return { columns: assumeColumns(manifest?.value.columns ?? []), stale: false }
}

/** The published days of a table, the oldest first. */
async function listDays(
  curated: Pick<ObjectStore, 'list'>,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<readonly Partition[]> {
  const { domain, table_name } = dataset
  const prefix = `${datasetPrefix(dataset)}ds=`
  const days: Partition[] = []
  for await (const { key } of curated.list(prefix, { signal })) {
    const [, ds] = /^(\d{4}-\d{2}-\d{2})\/_manifest\.json$/.exec(key.slice(prefix.length)) ?? []
    if (ds !== undefined) days.push({ domain, table_name, ds })
  }
  return days
}

export interface StaleDay {
  readonly partition: Partition
  readonly manifest: Manifest
}

/** The published days that a reader of these columns could not read. */
export async function findStaleDays(
  curated: Pick<ObjectStore, 'get' | 'list'>,
  dataset: Dataset,
  columns: readonly TableColumn[],
  signal: AbortSignal,
): Promise<readonly StaleDay[]> {
  const stale: StaleDay[] = []
  for (const partition of await listDays(curated, dataset, signal)) {
    const manifest = await readManifest(curated, partition, signal)
    if (manifest && staleColumns(columns, manifest.value.columns).length > 0) {
      stale.push({ partition, manifest: manifest.value })
    }
  }
  return stale
}

export interface Lesson {
  readonly learned: readonly ColumnEvidence[]
  readonly given: GivenTypes
  /** What the file of a day has. */
  readonly written: readonly WrittenColumn[]
  /** Asked before types change that other days have. */
  readonly beforeRetyping: (columns: readonly TableColumn[]) => Promise<void>
}

/** Adds what a day has shown to what is known of its table: the types only ever widen. */
export async function recordTypes(
  curated: Curated,
  dataset: Dataset,
  { learned, given, written, beforeRetyping }: Lesson,
  signal: AbortSignal,
): Promise<void> {
  const change = async (stored: TableSchema | undefined): Promise<TableSchema> => {
    const schema = stored ?? (await assumeTable(curated, dataset, signal))
    const columns = widenColumns(schema.columns, learned, given)
    const isRetyped = schema.columns.some(({ name, type }) => {
      const now = columns.find(each => sameName(each.name) === sameName(name))?.type
      return type !== null && now != null && !canRead(parseType(now), parseType(type))
    })
    if (isRetyped) await beforeRetyping(columns)
    return { columns, stale: schema.stale || isRetyped || staleColumns(columns, written).length > 0 }
  }
  const key = typesKey(dataset)
  await updateJson(toJsonObjects(curated), key, tableSchema, change, { signal }).catch(cause => {
    throw isTaskError(cause, DataValidationError) ? damaged(key, cause) : cause
  })
}
