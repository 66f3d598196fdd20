import { randomBytes } from 'node:crypto'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { JobSpec } from '../job.ts'
import { sameName } from '../typing/column-type.ts'
import { csvTokens, hasOnly, jsonTokens, oneOf, pointerTo } from '../typing/duckdb-dialect.ts'
import type { Dialect } from '../typing/token-sql.ts'
import { listOfTexts, quoteName, quoteText } from './duckdb.ts'
import { keyTwice, noObject } from './job-failure.ts'
import type { StagedFile } from './stage-files.ts'

/** The rows of raw files as texts. */
export interface TokenSource {
  readonly dialect: Dialect
  /** In the order in which they first appear. */
  readonly columns: readonly SourceColumn[]
  /** The table that tokens are expressions of: of all files, or of one. */
  from(file?: StagedFile): string
  /** What every row must fulfil besides; undefined if nothing. */
  readonly check?: string
}

export interface SourceColumn {
  readonly name: string
  readonly token: string
}

type SourceSpec = Pick<JobSpec, 'fileType' | 'delimiter'>

/** CSV files go together by the names of their columns. */
export async function openCsv(
  duckDb: DuckDBConnection,
  files: readonly StagedFile[],
  { delimiter }: SourceSpec,
): Promise<TokenSource> {
  const headers = new Map<StagedFile, readonly string[]>()
  const positions = new Map<string, { readonly name: string; readonly index: number }>()
  for (const file of files) {
    const header = await readHeader(duckDb, file, delimiter)
    headers.set(file, header)
    for (const name of header) {
      if (!positions.has(sameName(name))) positions.set(sameName(name), { name, index: positions.size })
    }
  }
  const read = (group: readonly StagedFile[], header: readonly string[]): string => {
    const own = new Set(header.map(sameName))
    const selected = [...positions].map(([key, { index }]) => {
      const spelled = header.find(name => sameName(name) === key)
      return `${own.has(key) && spelled !== undefined ? quoteName(spelled) : 'NULL::VARCHAR'} AS c${index}`
    })
    return `SELECT ${selected.join(', ')} FROM ${csvTable(group, delimiter, header)}`
  }
  return {
    dialect: csvTokens,
    columns: [...positions.values()].map(({ name, index }) => ({ name, token: `c${index}` })),
    from(file) {
      if (file) return `(${read([file], headers.get(file) ?? [])})`
      const groups = Map.groupBy(headers, ([, header]) => JSON.stringify(header))
      const all = [...groups.values()].map(group =>
        read(
          group.map(([each]) => each),
          group[0]?.[1] ?? [],
        ),
      )
      return `(${all.join(' UNION ALL ')})`
    },
  }
}

/** Nothing of a file's form is guessed: where a guess is wrong, DuckDB skips lines and reports nothing. */
function csvOptions(delimiter: string): string {
  return `delim = ${quoteText(delimiter)}, quote = '"', escape = '"', header = true, skip = 0, comment = ''`
}

/** Its names as DuckDB makes them different: `x`, `x_1`. */
async function readHeader(
  duckDb: DuckDBConnection,
  { path }: StagedFile,
  delimiter: string,
): Promise<readonly string[]> {
  const described = await duckDb.runAndReadAll(
    `SELECT * FROM read_csv(${quoteText(path)}, ${csvOptions(delimiter)}, all_varchar = true, sample_size = 1) LIMIT 0`,
  )
  return described.columnNames()
}

function csvTable(files: readonly StagedFile[], delimiter: string, header: readonly string[]): string {
  const columns = header.map(name => `${quoteText(name)}: 'VARCHAR'`).join(', ')
  const paths = listOfTexts(files.map(({ path }) => path))
  return `read_csv(${paths}, ${csvOptions(delimiter)}, nullstr = '', allow_quoted_nulls = false, auto_detect = false, columns = {${columns}})`
}

/** With the digits of all numbers, and all keys that are there: what it takes to learn something. */
export async function openJson(duckDb: DuckDBConnection, files: readonly StagedFile[]): Promise<TokenSource> {
  const mark = `~${randomBytes(9).toString('base64url')}~`
  const keys = await findKeys(duckDb, `(SELECT json AS x FROM ${jsonLines(files)})`)
  return jsonSource(files, keys, jsonTokens(mark), quoteNumbers(mark))
}

/** For keys that are known; digits that JSON's reader would not keep are found by the check. */
export function openKnownJson(files: readonly StagedFile[], names: readonly string[]): TokenSource {
  const keys = new Map(names.map(name => [sameName(name), [name]]))
  const isExact = `NOT regexp_matches(json, '[0-9.]{17}|[0-9][eE][-+]?[0-9]{3}')`
  return {
    ...jsonSource(files, keys, jsonTokens(), 'json'),
    check: `${hasOnly('keys', names)} AND ${isExact}`,
  }
}

type Keys = ReadonlyMap<string, readonly string[]>

function jsonSource(files: readonly StagedFile[], keys: Keys, dialect: Dialect, line: string): TokenSource {
  const spelled = [...keys.values()].flat()
  const paths = listOfTexts(spelled.map(pointerTo))
  const select = `json, json_keys(json) AS keys, json_extract(${line}, ${paths}::VARCHAR[])::VARCHAR[] AS tokens`
  const tokenOf = (key: string): string => dialect.json?.token(`tokens[${spelled.indexOf(key) + 1}]`) ?? ''
  return {
    dialect,
    columns: [...keys.values()].map(spellings => ({
      name: spellings[0] ?? '',
      token: oneOf(spellings.map(tokenOf)),
    })),
    from: file => `(SELECT ${select} FROM ${jsonLines(file ? [file] : files)})`,
  }
}

/** Every object as the text that it has in its file. */
function jsonLines(files: readonly StagedFile[]): string {
  const forms = Map.groupBy(files, ({ form }) => form)
  const reads = [...forms].map(
    ([form, group]) =>
      `SELECT json FROM read_json_objects(${listOfTexts(group.map(({ path }) => path))}, format = ${quoteText(String(form))})`,
  )
  return `(SELECT json FROM (${reads.join(' UNION ALL ')}) WHERE starts_with(ltrim(json, chr(9) || chr(10) || chr(13) || ' '), '{') OR error('${noObject}'))`
}

/** All spellings of the keys of objects, in the order in which they first appear. */
export async function findKeys(duckDb: DuckDBConnection, from: string): Promise<Keys> {
  const answer = await duckDb.runAndReadAll(
    `SELECT key FROM (SELECT unnest(keys) AS key, generate_subscripts(keys, 1) AS place, row FROM
       (SELECT json_keys(x) AS keys, row_number() OVER () AS row FROM ${from})
       WHERE len(list_distinct(list_transform(keys, lambda key: lower(key)))) = len(keys) OR error('${keyTwice}'))
     GROUP BY key ORDER BY min(row), min(place)`,
  )
  return Map.groupBy(
    answer.getRows().map(([name]) => String(name)),
    sameName,
  )
}

/**
 * The line with every number as a text that begins with the mark. Texts and all else are matched as they are, up to the
 * next number; the last match has none, and leaves an empty text at the end.
 */
function quoteNumbers(mark: string): string {
  const pattern = String.raw`((?:"(?:[^"\\]|\\.)*"|[^-"0-9])*)(-?[0-9][-+0-9.eE]*)?`
  const quoted = `regexp_replace(json, ${quoteText(pattern)}, ${quoteText(`\\1"${mark}\\2"`)}, 'gs')`
  return `substr(${quoted}, 1, length(${quoted}) - ${mark.length + 2})`
}
