import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { JobSpec } from '../job.ts'
import { castType, csvStatement } from './csv-statement.ts'
import { listOfTexts, quoteName, quoteText } from './duckdb.ts'
import { isWrongGuess } from './job-failure.ts'
import type { StagedFile } from './stage-files.ts'

type ReadSpec = Pick<JobSpec, 'fileType' | 'delimiter' | 'types' | 'deduplicate'>

/**
 * The statement that reads all files as one table. Columns go together by name; what is of several types in JSON
 * becomes text, a time with a zone a moment.
 */
export async function readStatement(
  duckDb: DuckDBConnection,
  files: readonly StagedFile[],
  spec: ReadSpec,
  directory: string,
): Promise<string> {
  if (spec.fileType === 'csv') return csvStatement(duckDb, files, spec, 'sample')
  const source =
    spec.fileType === 'json'
      ? await jsonSource(duckDb, files, directory)
      : `read_parquet(${listOfTexts(files.map(({ path }) => path))}, union_by_name = true)`
  return shape(duckDb, source, spec)
}

/** The same for CSV with every row looked at: slower, and right where a sample of the rows was not enough. */
export function readAgain(
  duckDb: DuckDBConnection,
  files: readonly StagedFile[],
  spec: ReadSpec,
  error: unknown,
): Promise<string> {
  if (spec.fileType !== 'csv' || !isWrongGuess(error)) throw error
  return csvStatement(duckDb, files, spec, 'all')
}

/**
 * All objects are looked at: of a field that first comes after the sample DuckDB says nothing, and leaves it out.
 * Files of other forms are written again as lines, because a table can be read of one form only.
 */
async function jsonSource(
  duckDb: DuckDBConnection,
  files: readonly StagedFile[],
  directory: string,
): Promise<string> {
  const forms = new Set(files.map(({ form }) => form))
  const options = 'records = true, union_by_name = true, sample_size = -1'
  const [form] = forms
  if (forms.size === 1) {
    return `read_json(${listOfTexts(files.map(({ path }) => path))}, format = ${quoteText(String(form))}, ${options})`
  }
  const lines = files.filter(each => each.form === 'newline_delimited').map(({ path }) => path)
  for (const [index, file] of files.filter(each => each.form !== 'newline_delimited').entries()) {
    const path = join(directory, `lines-${index}.json`)
    // JSON has no control characters, so nothing is quoted.
    await duckDb.run(
      `COPY (SELECT json::VARCHAR FROM (SELECT json(json) AS json FROM read_json_objects(${quoteText(file.path)}, format = ${quoteText(String(file.form))})))
       TO ${quoteText(path)} (FORMAT csv, HEADER false, DELIMITER '\u0001', QUOTE '\u0002', ESCAPE '\u0002')`,
    )
    lines.push(path)
  }
  return `read_json(${listOfTexts(lines)}, format = 'newline_delimited', ${options})`
}

async function shape(
  duckDb: DuckDBConnection,
  source: string,
  { types, deduplicate, fileType }: ReadSpec,
): Promise<string> {
  const described = await duckDb.runAndReadAll(`SELECT * FROM ${source} LIMIT 0`)
  const columns = described.columnNames().map((name, index) => ({
    name,
    type: String(described.columnTypes()[index]?.alias ?? described.columnTypes()[index]),
  }))
  const moments = fileType === 'json' ? await findMoments(duckDb, source, columns) : new Set<string>()
  const shaped = columns.map(({ name, type }) => {
    const column = quoteName(name)
    // A column may be called "constructor".
    const given = Object.hasOwn(types, name) ? types[name] : undefined
    const text = type === 'JSON' ? `json_extract_string(${column}, '$')` : column
    if (given !== undefined) return `CAST(${text} AS ${castType(given)}) AS ${column}`
    if (moments.has(name)) return `CAST(${column} AS TIMESTAMP WITH TIME ZONE) AS ${column}`
    return text === column ? column : `${text} AS ${column}`
  })
  return `SELECT ${deduplicate ? 'DISTINCT ' : ''}${shaped.join(', ')} FROM ${source}`
}

/** The columns of texts that are all moments with a zone: JSON has no type for them. */
async function findMoments(
  duckDb: DuckDBConnection,
  source: string,
  columns: readonly { readonly name: string; readonly type: string }[],
): Promise<ReadonlySet<string>> {
  const texts = columns.filter(({ type }) => type === 'VARCHAR').map(({ name }) => name)
  if (texts.length === 0) return new Set()
  const moment = String.raw`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)$`
  const tests = texts.map(name => {
    const column = quoteName(name)
    const fits = `regexp_full_match(${column}, ${quoteText(moment)}) AND TRY_CAST(${column} AS TIMESTAMP WITH TIME ZONE) IS NOT NULL`
    return `bool_and(${fits}) FILTER (WHERE ${column} IS NOT NULL)`
  })
  const answer = await duckDb.runAndReadAll(`SELECT ${tests.join(', ')} FROM ${source}`)
  const [row = []] = answer.getRows()
  return new Set(texts.filter((_, index) => row[index] === true))
}
