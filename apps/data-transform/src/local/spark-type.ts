import type { DuckDBType } from '@duckdb/node-api'

const names: Readonly<Record<string, string>> = {
  BOOLEAN: 'boolean',
  TINYINT: 'tinyint',
  SMALLINT: 'smallint',
  INTEGER: 'int',
  BIGINT: 'bigint',
  UTINYINT: 'smallint',
  USMALLINT: 'int',
  UINTEGER: 'bigint',
  UBIGINT: 'decimal(20,0)',
  FLOAT: 'float',
  DOUBLE: 'double',
  DATE: 'date',
  BLOB: 'binary',
}

/** A type as Spark and the Glue catalog call it, so that both engines have the same fingerprint of the same columns. */
export function toSparkType(type: DuckDBType): string {
  const text = type.toString()
  if (text.startsWith('TIMESTAMP')) return 'timestamp'
  if (text.startsWith('DECIMAL') && !text.endsWith(']')) return text.toLowerCase()
  if ('entryNames' in type && 'entryTypes' in type && text.startsWith('STRUCT')) {
    const fields = type.entryNames.map(
      (name, index) => `${name}:${toSparkType(type.entryTypes[index] as DuckDBType)}`,
    )
    return `struct<${fields.join(',')}>`
  }
  if ('keyType' in type && 'valueType' in type) {
    return `map<${toSparkType(type.keyType)},${toSparkType(type.valueType)}>`
  }
  if ('valueType' in type) return `array<${toSparkType(type.valueType)}>`
  return names[text] ?? 'string'
}
