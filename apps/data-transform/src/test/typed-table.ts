import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { readBytes } from '@stepwright/object-store'
import { createMemoryObjectStore } from '@stepwright/object-store/memory'
import { parquetReadObjects } from 'hyparquet'
import type { JobResult, JobSpec } from '../job.ts'
import { openDuckDb, quoteName, quoteText } from '../local/duckdb.ts'
import { runJob } from '../local/run-job.ts'
import { sameName } from '../typing/column-type.ts'
import { staleColumns, type TableColumn, widenColumns } from '../typing/table-schema.ts'

const limits = { threads: 2, memoryLimitMb: 256 }
const { signal } = new AbortController()

/** A job that reads JSON into a table that nothing is known of. */
export const plainSpec: JobSpec = {
  correlationId: 'test',
  ds: '2025-09-07',
  fileType: 'json',
  delimiter: ',',
  types: {},
  schema: [],
  onNewType: 'widen',
  rewrites: false,
  deduplicate: false,
  rawBucket: 'raw',
  sources: [],
  metrics: [],
  rules: [],
}

/** The files of a day, by name. */
export type DayFiles = Readonly<Record<string, string | Uint8Array>>

export interface TypedDay {
  readonly result: JobResult
  /** As DuckDB's texts have them, by column. */
  rows(): Promise<readonly Readonly<Record<string, string | null>>[]>
  /** The same values by another reader. */
  otherRows(): Promise<readonly Record<string, unknown>[]>
}

export interface TypedTable {
  readonly columns: readonly TableColumn[]
  types(): Readonly<Record<string, string | null>>
  /** Runs the job of a day with what is known of the table by now; of a day that was there, once more. */
  add(files: DayFiles, change?: Partial<JobSpec>, day?: number): Promise<TypedDay>
  /** Gives every day the types of the table, from its raw files or from its Parquet. */
  align(from: 'raw' | 'parquet'): Promise<readonly TypedDay[]>
}

/** A table without a workflow: jobs, and what is learned from them. */
export function createTypedTable(base: Partial<JobSpec> = {}): TypedTable {
  const raw = createMemoryObjectStore()
  const curated = createMemoryObjectStore()
  const given = new Map(Object.entries(base.types ?? {}).map(([name, type]) => [sameName(name), type]))
  let columns: readonly TableColumn[] = []
  let runs = 0
  const days: { sources: JobSpec['sources']; change: Partial<JobSpec>; day: TypedDay }[] = []

  const run = async (sources: JobSpec['sources'], change: Partial<JobSpec>): Promise<TypedDay> => {
    runs += 1
    const spec: JobSpec = { ...plainSpec, schema: [...columns], sources, ...base, ...change }
    const job = { spec, runPrefix: 'runs/', jobRunId: `jr_${runs}` }
    const result = await runJob(job, { raw, curated, ...limits }, signal)
    columns = widenColumns(columns, result.learned, given)
    const bytes = async () => readBytes(await curated.get(String(result.files[0]?.key)))
    return {
      result,
      rows: async () => readByDuckDb(await bytes(), result),
      otherRows: async () => readByHyparquet(await bytes()),
    }
  }
  return {
    get columns() {
      return columns
    },
    types: () => Object.fromEntries(columns.map(({ name, type }) => [name, type])),
    async add(files, change = {}, index = days.length) {
      const sources: JobSpec['sources'] = []
      for (const [name, body] of Object.entries(files)) {
        const key = `${index}/${name}`
        const { etag } = await raw.put(key, body)
        sources.push({ key, size: body.length, etag })
      }
      const day = await run(sources, change)
      days[index] = { sources, change, day }
      return day
    },
    async align(from) {
      const aligned: TypedDay[] = []
      for (const { sources, change, day } of days) {
        const isStale = staleColumns(columns, day.result.columns).length > 0
        if (!isStale) aligned.push(day)
        else if (from === 'raw') aligned.push(await run(sources, change))
        else {
          const files = await Promise.all(
            day.result.files.map(async ({ key, size }) => ({
              key,
              size,
              etag: (await curated.head(key)).etag,
            })),
          )
          aligned.push(await run(files, { ...change, fileType: 'parquet', rewrites: true }))
        }
      }
      return aligned
    },
  }
}

async function readByDuckDb(
  bytes: Uint8Array,
  { columns }: JobResult,
): Promise<readonly Readonly<Record<string, string | null>>[]> {
  const directory = await mkdtemp(join(tmpdir(), 'typed-table-'))
  try {
    const path = join(directory, 'x.parquet')
    await writeFile(path, bytes)
    using duckDb = await openDuckDb({ ...limits, temporaryDirectory: directory })
    const texts = columns.map(({ name }) => `CAST(${quoteName(name)} AS VARCHAR) AS ${quoteName(name)}`)
    const answer = await duckDb.runAndReadAll(
      `SELECT ${texts.join(', ') || '1 AS nothing'} FROM read_parquet(${quoteText(path)})`,
    )
    return answer.getRowObjectsJson() as Record<string, string | null>[]
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function readByHyparquet(bytes: Uint8Array): Promise<readonly Record<string, unknown>[]> {
  const file = Uint8Array.from(bytes).buffer
  return parquetReadObjects({ file, compressors: { ZSTD: input => zstdDecompressSync(input) } })
}
