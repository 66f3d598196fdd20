import type { DuckDBType } from '@duckdb/node-api'
import type { ColumnType } from '../typing/column-type.ts'

const names: Readonly<Record<string, string>> = {
  BOOLEAN: 'boolean',
  TINYINT: 'tinyint',
  SMALLINT: 'smallint',
  INTEGER: 'int',
  BIGINT: 'bigint',
  FLOAT: 'float',
  DOUBLE: 'double',
  DATE: 'date',
  TIMESTAMP: 'timestamp_ntz',
  'TIMESTAMP WITH TIME ZONE': 'timestamp',
  VARCHAR: 'string',
  BLOB: 'binary',
}

/** Types that Spark or Athena cannot read from Parquet, and what holds the same values. Of all others the text is kept. */
const replacements: Readonly<Record<string, string>> = {
  UTINYINT: 'smallint',
  USMALLINT: 'int',
  UINTEGER: 'bigint',
  UBIGINT: 'decimal(20,0)',
  TIMESTAMP_S: 'timestamp_ntz',
  TIMESTAMP_MS: 'timestamp_ntz',
}

/** A type as Spark and the Glue catalog call it; for a type that they cannot read, one that they can. */
export function toColumnType(type: DuckDBType): ColumnType {
  if ('entryNames' in type && 'entryTypes' in type) {
    return {
      fields: type.entryNames.map((name, index) => ({
        name,
        type: toColumnType(type.entryTypes[index] as DuckDBType),
      })),
    }
  }
  if ('keyType' in type) return 'string'
  if ('valueType' in type) return { items: toColumnType(type.valueType) }
  const text = type.toString()
  if (text.startsWith('DECIMAL')) return text.toLowerCase()
  return names[text] ?? replacements[text] ?? 'string'
}

/**
 * Whether DuckDB writes the type to Parquet as it is, and Spark and Athena can read it. HUGEINT would become a double, and
 * UUID, TIME, INTERVAL and nanoseconds types that Spark refuses.
 */
function isStorable(type: DuckDBType): boolean {
  if ('entryTypes' in type) return type.entryTypes.every(isStorable)
  if ('keyType' in type) return false
  if ('valueType' in type) return isStorable(type.valueType)
  const text = type.toString()
  return text.startsWith('DECIMAL') || names[text] !== undefined
}

/** @throws Error for a type that must never reach the writer */
export function assertStorable(columns: readonly string[], types: readonly DuckDBType[]): void {
  for (const [index, type] of types.entries()) {
    if (!isStorable(type))
      throw new Error(`column ${index + 1} of ${columns.length} has a type that cannot be stored`)
  }
}
