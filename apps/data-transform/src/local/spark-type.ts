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
