import { quoteText } from '../local/duckdb.ts'
import type { ColumnType } from './column-type.ts'
import { isList, isStruct } from './column-type.ts'
import type { Dialect, JsonDialect } from './token-sql.ts'

const scalars: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  bigint: 'BIGINT',
  double: 'DOUBLE',
  date: 'DATE',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
  timestamp_ntz: 'TIMESTAMP',
  string: 'VARCHAR',
  int: 'INTEGER',
  smallint: 'SMALLINT',
  tinyint: 'TINYINT',
  float: 'FLOAT',
  binary: 'BLOB',
}

/** A type as DuckDB calls it. */
export function toDuckDbType(type: ColumnType): string {
  if (isList(type)) return `${toDuckDbType(type.items)}[]`
  if (!isStruct(type)) return scalars[type] ?? type.toUpperCase()
  const fields = type.fields.map(
    ({ name, type: of }) => `"${name.replaceAll('"', '""')}" ${toDuckDbType(of)}`,
  )
  return `STRUCT(${fields.join(', ')})`
}

const csv: Dialect = {
  matches: (x, pattern) => `regexp_full_match(${x}, ${quoteText(pattern)})`,
  canCast: (x, type) => `TRY_CAST(${x} AS ${toDuckDbType(type)}) IS NOT NULL`,
  cast: castSql,
  text: x => x,
  plain: x => x,
  bare: x => x,
  length: x => `length(${x})`,
  significant: x => `ltrim(replace(regexp_extract(${x}, '^-?([0-9.]+)', 1), '.', ''), '0')`,
  extract: (x, pattern) => `regexp_extract(${x}, ${quoteText(pattern)}, 1)`,
}

/** Text to DECIMAL of more than 18 digits is slow in DuckDB; by way of HUGEINT it is not. */
function castSql(x: string, type: string): string {
  const target = toDuckDbType(type)
  return type === 'decimal(38,0)' ? `CAST(CAST(${x} AS HUGEINT) AS ${target})` : `CAST(${x} AS ${target})`
}

export const csvTokens: Dialect = csv

/**
 * The tokens of JSON. DuckDB's reader makes doubles of all fractions; where their digits matter, numbers were made
 * texts before, which begin with a mark that no text of the files has.
 */
export function jsonTokens(mark?: string): Dialect {
  const token = (x: string): string => {
    const value = `CAST(${x} AS VARCHAR)`
    if (mark === undefined) return `nullif(${value}, 'null')`
    return `nullif(regexp_replace(${value}, ${quoteText(`^"${mark}(.*)"$`)}, '\\1'), 'null')`
  }
  const unmarked = (x: string): string =>
    mark === undefined ? x : `regexp_replace(${x}, ${quoteText(`"${mark}([^"]*)"`)}, '\\1', 'g')`
  let depth = 0
  const withItem = (make: (item: string) => string): readonly [item: string, sql: string] => {
    depth += 1
    const item = `item${depth}`
    try {
      return [item, make(token(item))]
    } finally {
      depth -= 1
    }
  }
  const json: JsonDialect = {
    token,
    startsWith: (x, start) => `starts_with(${x}, ${quoteText(start)})`,
    field: (x, keys) => oneOf(keys.map(key => token(`json_extract(${x}, ${quoteText(pointerTo(key))})`))),
    hasOnly: (x, keys) => hasOnly(`json_keys(${x})`, keys),
    struct(x, fields) {
      const packed = fields.map(([name, sql]) => `${quoteText(name)}: ${sql}`)
      return `CASE WHEN ${x} IS NULL THEN NULL ELSE {${packed.join(', ')}} END`
    },
    mapItems(x, map) {
      const [item, sql] = withItem(map)
      return `list_transform(from_json(${x}, '["JSON"]'), lambda ${item}: ${sql})`
    },
    allItems(x, test) {
      const [item, sql] = withItem(test)
      return `coalesce(list_bool_and(list_transform(from_json(${x}, '["JSON"]'), lambda ${item}: ${sql})), TRUE)`
    },
  }
  return {
    ...csv,
    bare: x => `trim(${x}, '"')`,
    text: x =>
      `CASE WHEN starts_with(${x}, '"') THEN json_extract_string(${x}, '$') WHEN starts_with(${x}, '{') OR starts_with(${x}, '[') THEN ${unmarked(x)} ELSE ${x} END`,
    json,
  }
}

export function oneOf(alternatives: readonly string[]): string {
  return alternatives.length === 1 ? String(alternatives[0]) : `coalesce(${alternatives.join(', ')})`
}

/** Whether a list of keys has no other than these, and none twice, in whatever case. */
export function hasOnly(keys: string, known: readonly string[]): string {
  const list = `[${known.map(quoteText).join(', ')}]::VARCHAR[]`
  // Most objects have all keys, in one order: then nothing more is to be compared.
  return `CASE WHEN ${keys} = ${list} THEN TRUE ELSE list_has_all(${list}, ${keys}) AND len(list_distinct(${keys})) = len(${keys}) END`
}

/** A JSON pointer: other than in a path, every name can stand in it. */
export function pointerTo(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
