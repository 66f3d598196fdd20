import type { DuckDBConnection } from '@duckdb/node-api'
import type { JobSpec, Misfit } from '../job.ts'
import { type ColumnType, isList, isStruct, parseType, printType, sameName } from '../typing/column-type.ts'
import { toDuckDbType } from '../typing/duckdb-dialect.ts'
import { assumeType } from '../typing/evidence.ts'
import { type ColumnEvidence, type TableColumn, widenColumns } from '../typing/table-schema.ts'
import { listOfTexts, quoteName, quoteText } from './duckdb.ts'
import { toColumnType } from './spark-type.ts'
import type { StagedFile } from './stage-files.ts'

interface ParquetColumn {
  readonly name: string
  readonly type: ColumnType
}

export interface ParquetSource {
  /** The statement that reads all files, each column in the type of the table. */
  readonly statement: string
  readonly learned: readonly ColumnEvidence[]
}

/**
 * Parquet has types of its own: they are checked against the table's, which widens by the same rules. To rewrite a day,
 * the table's types are taken as they are.
 */
export async function readParquet(
  duckDb: DuckDBConnection,
  files: readonly StagedFile[],
  spec: JobSpec,
): Promise<ParquetSource | { readonly misfit: Misfit }> {
  const described = new Map<StagedFile, readonly ParquetColumn[]>()
  for (const file of files) described.set(file, await describe(duckDb, file))
  const learned = [...described.values()]
    .flat()
    .map(({ name, type }) => ({ name, evidence: assumeType(type) }))
  const given = new Map(Object.entries(spec.types).map(([name, type]) => [sameName(name), parseType(type)]))
  const table = spec.rewrites ? spec.schema : widenColumns(spec.schema, learned, given)
  if (spec.onNewType === 'fail' && !spec.rewrites) {
    const known = new Map(spec.schema.map(({ name, type }) => [sameName(name), type]))
    const changed = table.find(({ name, type }) => (known.get(sameName(name)) ?? type) !== type)
    if (changed) return { misfit: misfitOf(changed, described, known.get(sameName(changed.name)) ?? '') }
  }
  const types = new Map(table.map(column => [sameName(column.name), column]))
  const groups = Map.groupBy(described, ([, columns]) => JSON.stringify(columns))
  const reads = [...groups.values()].map(group => {
    const paths = listOfTexts(group.map(([{ path }]) => path))
    const selected = (group[0]?.[1] ?? []).map(({ name, type }) => {
      const column = types.get(sameName(name))
      const target = column?.type == null ? type : parseType(column.type)
      return `${castSql(quoteName(name), type, target)} AS ${quoteName(column?.name ?? name)}`
    })
    return `SELECT ${selected.join(', ')} FROM read_parquet(${paths})`
  })
  const all = reads.join(' UNION ALL BY NAME ')
  return {
    statement: spec.deduplicate ? `SELECT DISTINCT * FROM (${all})` : all,
    learned: spec.rewrites ? [] : learned,
  }
}

async function describe(
  duckDb: DuckDBConnection,
  { path }: StagedFile,
): Promise<readonly (ParquetColumn & { readonly read: string })[]> {
  const answer = await duckDb.runAndReadAll(`SELECT * FROM read_parquet(${listOfTexts([path])}) LIMIT 0`)
  const types = answer.columnTypes()
  return answer.columnNames().map((name, index) => {
    const type = types[index] as (typeof types)[number]
    return { name, type: toColumnType(type), read: type.toString() }
  })
}

function misfitOf(
  { name, type }: TableColumn,
  described: ReadonlyMap<StagedFile, readonly ParquetColumn[]>,
  before: string,
): Misfit {
  for (const [{ key }, columns] of described) {
    const own = columns.find(column => sameName(column.name) === sameName(name))
    if (own && printType(own.type) !== before) {
      return { file: key, row: 1, column: name, kind: printType(own.type), type: before }
    }
  }
  return { file: '', row: 1, column: name, kind: String(type), type: before }
}

/** A value in another type; texts are what a reader of the raw files would have written, as far as the type knows it. */
function castSql(x: string, from: ColumnType, to: ColumnType, depth = 0): string {
  if (isStruct(from) && isStruct(to)) {
    const own = new Map(from.fields.map(({ name, type }) => [sameName(name), { name, type }]))
    const fields = to.fields.map(({ name, type }) => {
      const field = own.get(sameName(name))
      const value =
        field && castSql(`struct_extract(${x}, ${quoteText(field.name)})`, field.type, type, depth)
      return `${quoteText(name)}: ${value ?? `NULL::${toDuckDbType(type)}`}`
    })
    return `CASE WHEN ${x} IS NULL THEN NULL ELSE {${fields.join(', ')}} END`
  }
  if (isList(from) && isList(to)) {
    const item = `item${depth}`
    return `list_transform(${x}, lambda ${item}: ${castSql(item, from.items, to.items, depth + 1)})`
  }
  const isDouble = from === 'double' || from === 'float'
  // By way of its shortest text: a double is cast to a decimal with all its binary digits.
  const value = isDouble && to !== 'double' ? `CAST(${x} AS VARCHAR)` : x
  if (to !== 'string') return `CAST(${value} AS ${toDuckDbType(to)})`
  if (isStruct(from) || isList(from)) return `CAST(to_json(${x}) AS VARCHAR)`
  if (isDouble) return `regexp_replace(${value}, '[.]0$', '')`
  const text = `CAST(${x} AS VARCHAR)`
  if (/^decimal\(\d+,[1-9]/.test(from)) return `rtrim(rtrim(${text}, '0'), '.')`
  if (from === 'timestamp') return `replace(replace(${text}, ' ', 'T'), '+00', 'Z')`
  return text
}
