import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { isTaskError } from '@stepwright/errors'
import type { ObjectStore } from '@stepwright/object-store'
import type { Column } from '@stepwright/partitions'
import { type JobResult, type JobSpec, jobResultKey, jobRunPrefix, jobStartedKey } from '../job.ts'
import { printType, sameName } from '../typing/column-type.ts'
import { copyToParquet } from './copy-to-parquet.ts'
import { type DuckDbOptions, openDuckDb, quoteName, quoteText } from './duckdb.ts'
import { describeDuckDbError, JobFailure } from './job-failure.ts'
import { toColumnType } from './spark-type.ts'
import { stageFiles } from './stage-files.ts'
import { readParquet } from './write-parquet.ts'
import { writeTyped } from './write-typed.ts'

export interface JobPorts extends Omit<DuckDbOptions, 'temporaryDirectory'> {
  readonly raw: Pick<ObjectStore, 'get'>
  readonly curated: Pick<ObjectStore, 'get' | 'put' | 'upload'>
}

/** One run of a job, and where it writes. */
export interface JobRun {
  readonly spec: JobSpec
  readonly runPrefix: string
  readonly jobRunId: string
}

/**
 * The job on this machine: raw files to one Parquet file and what is to be known of it, under the run's own prefix.
 * Nothing of it counts until somebody publishes it.
 * @throws JobFailure, in words that quote nothing
 */
export async function runJob(
  { spec, runPrefix, jobRunId }: JobRun,
  ports: JobPorts,
  signal: AbortSignal,
): Promise<JobResult> {
  const directory = await mkdtemp(join(tmpdir(), 'data-transform-'))
  try {
    await ports.curated.put(jobStartedKey(runPrefix, jobRunId), '{}', { signal })
    const temporaryDirectory = join(directory, 'duckdb')
    await mkdir(temporaryDirectory)
    const files = await stageFiles(spec.rewrites ? ports.curated : ports.raw, spec, directory, signal)
    if (files.length === 0) throw new JobFailure('the raw files hold nothing')
    using duckDb = await openDuckDb({ ...ports, temporaryDirectory })
    const stop = (): void => duckDb.interrupt()
    signal.addEventListener('abort', stop, { once: true })
    const output = join(directory, 'output.parquet')
    const facts = await transform(duckDb, files, spec, output)
    signal.removeEventListener('abort', stop)
    const result: JobResult = { ...facts, files: [] }
    if (facts.misfit === undefined) {
      const key = `${jobRunPrefix(runPrefix, jobRunId)}part-00000.parquet`
      const { size } = await stat(output)
      await ports.curated.upload(key, createReadStream(output, { highWaterMark: 1 << 20 }), { signal })
      result.files.push({ key, size })
    }
    await ports.curated.put(jobResultKey(runPrefix, jobRunId), JSON.stringify(result), {
      contentType: 'application/json',
      signal,
    })
    return result
  } catch (error) {
    signal.throwIfAborted()
    throw toJobFailure(error)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

type Files = Awaited<ReturnType<typeof stageFiles>>
type Facts = Omit<JobResult, 'files'>

async function transform(
  duckDb: DuckDBConnection,
  files: Files,
  spec: JobSpec,
  output: string,
): Promise<Facts> {
  if (spec.fileType !== 'parquet') {
    const typed = await writeTyped(duckDb, files, spec, output)
    if ('misfit' in typed) return { ...nothing, misfit: typed.misfit }
    return { ...(await measure(duckDb, output, spec, typed.nulls)), learned: [...typed.learned] }
  }
  const read = await readParquet(duckDb, files, spec)
  if ('misfit' in read) return { ...nothing, misfit: read.misfit }
  await copyToParquet(duckDb, read.statement, output)
  return { ...(await measure(duckDb, output, spec, [])), learned: [...read.learned] }
}

const nothing: Facts = { rowCount: 0, columns: [], figures: [], learned: [] }

/** Of what was written, since that is what will be published. Columns without a value are not in the file. */
async function measure(
  duckDb: DuckDBConnection,
  output: string,
  { metrics }: JobSpec,
  nulls: readonly string[],
): Promise<Omit<Facts, 'learned'>> {
  const source = `read_parquet(${quoteText(output)})`
  const described = await duckDb.runAndReadAll(`SELECT * FROM ${source} LIMIT 0`)
  const types = described.columnTypes()
  const columns: Column[] = described
    .columnNames()
    .map((name, index) => ({ name, type: printType(toColumnType(types[index] as (typeof types)[number])) }))
    .filter(({ name }) => !nulls.includes(name))
  const known = new Set([...columns.map(({ name }) => name), ...nulls].map(sameName))
  const figures = metrics.map(({ column, sql }) =>
    known.has(sameName(column)) ? `CAST(${sql} AS DOUBLE)` : 'NULL',
  )
  const written = [
    ...columns.map(({ name }) => quoteName(name)),
    ...nulls.map(name => `NULL::VARCHAR AS ${quoteName(name)}`),
  ]
  const answer = await duckDb.runAndReadAll(
    `SELECT CAST(count(*) AS DOUBLE), ${[...figures, 'NULL'].join(', ')} FROM (SELECT ${written.join(', ') || '*'} FROM ${source})`,
  )
  const [rowCount, ...found] = (answer.getRows()[0] ?? []) as (number | null)[]
  return { rowCount: Number(rowCount), columns, figures: found.slice(0, metrics.length) }
}

function toJobFailure(error: unknown): unknown {
  if (error instanceof JobFailure) return error
  if (isTaskError(error)) return new JobFailure(`the store failed with ${error.name}`, { cause: error })
  return new JobFailure(describeDuckDbError(error), { cause: error })
}
