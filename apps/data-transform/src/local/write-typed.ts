import type { DuckDBConnection } from '@duckdb/node-api'
import type { JobSpec, Misfit } from '../job.ts'
import { type ColumnType, parseType, sameName } from '../typing/column-type.ts'
import { csvTokens } from '../typing/duckdb-dialect.ts'
import { type Kind, kinds, typeOf } from '../typing/evidence.ts'
import { type ColumnEvidence, type TableColumn, widenColumns } from '../typing/table-schema.ts'
import {
  coveredSql,
  type Dialect,
  fitsType,
  fitsTypeSql,
  isText,
  keepsTypeSql,
  kindSql,
  type Spellings,
  valueSql,
} from '../typing/token-sql.ts'
import { copyToParquet } from './copy-to-parquet.ts'
import { quoteName } from './duckdb.ts'
import { measureColumns } from './measure.ts'
import type { StagedFile } from './stage-files.ts'
import { openCsv, openJson, openKnownJson, type SourceColumn, type TokenSource } from './token-source.ts'

/** What became of the rows: a file, and what was learned; or the first value that must not be there. */
export type Typed =
  | { readonly learned: readonly ColumnEvidence[]; readonly nulls: readonly string[] }
  | { readonly misfit: Misfit }

/** A column to write. */
interface Target {
  readonly name: string
  readonly token: string
  readonly type: ColumnType
  readonly dialect: Dialect
  readonly spellings?: Spellings | undefined
}

const notCovered = 'a value is not covered by what is known of its column'

/**
 * Writes CSV or JSON as Parquet, each value in the type of its column. Where all values are covered by what is known of
 * the table, one pass does it; otherwise all values are measured first.
 */
export async function writeTyped(
  duckDb: DuckDBConnection,
  files: readonly StagedFile[],
  spec: JobSpec,
  output: string,
): Promise<Typed> {
  const given = new Map(Object.entries(spec.types).map(([name, type]) => [sameName(name), type]))
  const csv = spec.fileType === 'csv' ? await openCsv(duckDb, files, spec) : undefined
  if (spec.schema.length > 0) {
    const known = csv ?? openKnownJson(files, namesIn(spec.schema))
    const nulls = await writeKnown(duckDb, known, spec, given, output)
    if (nulls) return { learned: [], nulls }
  }
  const source = csv ?? (await openJson(duckDb, files))
  return writeMeasured(duckDb, source, files, spec, given, output)
}

function namesIn(schema: readonly TableColumn[]): readonly string[] {
  return schema.map(({ name }) => name)
}

/** The columns that hold nulls only; undefined where a value is not covered. */
async function writeKnown(
  duckDb: DuckDBConnection,
  source: TokenSource,
  spec: JobSpec,
  given: ReadonlyMap<string, string>,
  output: string,
): Promise<readonly string[] | undefined> {
  const known = new Map(spec.schema.map(column => [sameName(column.name), column]))
  if (source.columns.some(({ name }) => !known.has(sameName(name)))) return undefined
  const checks: string[] = source.check === undefined ? [] : [source.check]
  const targets: Target[] = []
  const nulls: string[] = []
  for (const { name, token } of source.columns) {
    const column = known.get(sameName(name)) as TableColumn
    const isGiven = given.has(sameName(name))
    if (isGiven && column.type !== given.get(sameName(name))) return undefined
    if (isGiven && column.type !== 'string' && typeOf(column.evidence) === 'string') return undefined
    const dialect = isGiven ? csvTokens : source.dialect
    const text = isGiven ? source.dialect.text(token) : token
    if (column.type === null) nulls.push(column.name)
    else targets.push({ name: column.name, token: text, type: parseType(column.type), dialect })
    const isGivenText = isGiven && column.type === 'string'
    checks.push(
      isGivenText
        ? `(${token} IS NULL OR ${isText(token, source.dialect)})`
        : coveredSql(text, column.evidence, dialect),
    )
  }
  if (targets.length === 0) return undefined
  try {
    await copy(duckDb, targets, source, spec, output, checks)
    return nulls
  } catch (error) {
    if (error instanceof Error && error.message.includes(notCovered)) return undefined
    throw error
  }
}

async function writeMeasured(
  duckDb: DuckDBConnection,
  source: TokenSource,
  files: readonly StagedFile[],
  spec: JobSpec,
  given: ReadonlyMap<string, string>,
  output: string,
): Promise<Typed> {
  const free = source.columns.filter(({ name }) => !given.has(sameName(name)))
  const fixed = source.columns
    .filter(({ name }) => given.has(sameName(name)))
    .map(({ name, token }) => ({ name, token: source.dialect.text(token) }))
  const measured = await measureColumns(duckDb, source.from(), free, source.dialect)
  const texts = await measureColumns(duckDb, source.from(), fixed, csvTokens)
  const learned = [...measured.columns, ...texts.columns]
  const types = new Map([...given].map(([name, type]) => [name, parseType(type)]))
  const widened = new Map(widenColumns(spec.schema, learned, types).map(each => [sameName(each.name), each]))
  const misfit =
    (await findMisfit(duckDb, source, files, fixed, texts.columns, given)) ??
    (spec.onNewType === 'fail'
      ? await findNewType(duckDb, source, files, spec, free, measured.columns)
      : undefined)
  if (misfit) return { misfit }
  const targets: Target[] = []
  const nulls: string[] = []
  for (const { name, token } of source.columns) {
    const column = widened.get(sameName(name)) as TableColumn
    const isGiven = given.has(sameName(name))
    if (column.type === null) nulls.push(column.name)
    else {
      targets.push({
        name: column.name,
        token: isGiven ? source.dialect.text(token) : token,
        type: parseType(column.type),
        dialect: isGiven ? csvTokens : source.dialect,
        spellings: measured.spellings.get(sameName(name)),
      })
    }
  }
  await copy(duckDb, targets, source, spec, output, [])
  return { learned, nulls }
}

async function copy(
  duckDb: DuckDBConnection,
  targets: readonly Target[],
  source: TokenSource,
  { deduplicate }: JobSpec,
  output: string,
  checks: readonly string[],
): Promise<void> {
  const values = targets.map(
    ({ name, token, type, dialect, spellings }) =>
      `${valueSql(token, type, dialect, spellings)} AS ${quoteName(name)}`,
  )
  // Parquet has no file without columns: rows without any value keep their number.
  if (values.length === 0) values.push(`NULL::VARCHAR AS ${quoteName(source.columns[0]?.name ?? 'empty')}`)
  const where = checks.length === 0 ? '' : ` WHERE (${checks.join(' AND ')}) OR error('${notCovered}')`
  await copyToParquet(
    duckDb,
    `SELECT ${deduplicate ? 'DISTINCT ' : ''}${values.join(', ')} FROM ${source.from()}${where}`,
    output,
  )
}

/** The first value that is not of the type that the settings give. */
async function findMisfit(
  duckDb: DuckDBConnection,
  source: TokenSource,
  files: readonly StagedFile[],
  columns: readonly SourceColumn[],
  found: readonly ColumnEvidence[],
  given: ReadonlyMap<string, string>,
): Promise<Misfit | undefined> {
  for (const [index, { name, token }] of columns.entries()) {
    const type = given.get(sameName(name)) ?? ''
    const evidence = found[index]?.evidence
    if (evidence === undefined || fitsType(evidence, type)) continue
    const fits = (x: string, kind: string) => fitsTypeSql(kind, x, type, csvTokens)
    return locate(duckDb, source, files, { name, token }, csvTokens, type, fits)
  }
  return undefined
}

/** The first value that would widen a column whose type must stay as it is. */
async function findNewType(
  duckDb: DuckDBConnection,
  source: TokenSource,
  files: readonly StagedFile[],
  { schema }: JobSpec,
  columns: readonly SourceColumn[],
  found: readonly ColumnEvidence[],
): Promise<Misfit | undefined> {
  const tokens = new Map(columns.map(column => [sameName(column.name), column]))
  const known = new Map(schema.map(column => [sameName(column.name), column]))
  for (const { name, type } of widenColumns(schema, found)) {
    const before = known.get(sameName(name))
    const column = tokens.get(sameName(name))
    if (!before || before.type === null || before.type === type || !column) continue
    const { evidence } = before
    const of = parseType(before.type)
    const fits = (x: string, kind: string) => keepsTypeSql(kind, x, of, evidence, source.dialect)
    return locate(duckDb, source, files, column, source.dialect, before.type, fits)
  }
  return undefined
}

async function locate(
  duckDb: DuckDBConnection,
  source: TokenSource,
  files: readonly StagedFile[],
  { name, token }: SourceColumn,
  dialect: Dialect,
  type: string,
  fits: (x: string, kind: string) => string,
): Promise<Misfit> {
  for (const file of files) {
    const answer = await duckDb.runAndReadAll(
      `SELECT row::DOUBLE, kind FROM (SELECT row, x, ${kindSql('x', dialect)} AS kind FROM
         (SELECT row_number() OVER () AS row, ${token} AS x FROM ${source.from(file)})) WHERE NOT (${fits('x', 'kind')}) LIMIT 1`,
    )
    const [row] = answer.getRows()
    if (row) return { file: file.key, row: Number(row[0]), column: name, kind: nameOf(Number(row[1])), type }
  }
  return { file: '', row: 0, column: name, kind: 'text', type }
}

function nameOf(kind: number): Kind {
  return (Object.keys(kinds) as Kind[]).find(each => kinds[each] === kind) ?? 'text'
}
