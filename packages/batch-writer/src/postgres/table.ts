import { ValidationError } from '@stepwright/errors'
import { type BinaryCodec, binaryCodecs, enumCodec } from './codecs.ts'
import type { Answer } from './exchange.ts'
import { quoteLiteral, quoteName } from './quote.ts'

export interface Column {
  readonly name: string
  readonly quoted: string
  /** The type's name as SQL spells it, without a length: `character varying`. */
  readonly sqlType: string
  readonly typeOid: number
  readonly isJson: boolean
  readonly isArray: boolean
  /** Undefined where only text will do. */
  readonly binary: BinaryCodec | undefined
  /** Some types have no equality. */
  readonly comparable: boolean
}

export interface Table {
  /** Quoted, with its schema if one was given. */
  readonly name: string
  readonly columns: readonly Column[]
  readonly isPartitioned: boolean
  /** Which columns a constraint or a unique index is about. */
  readonly constraintColumns: ReadonlyMap<string, string>
  /** The columns of its unique keys, the primary key first. */
  readonly uniqueKeys: readonly (readonly string[])[]
}

const withoutEquality = new Set(['json', 'xml', 'point', 'polygon', 'box', 'line', 'lseg', 'path', 'circle'])

/** The catalog queries in one string, each row marked with where it comes from. */
export function describeTableSql(table: string): string {
  const relation = `to_regclass(${quoteLiteral(quoteName(table))})`
  return `
    SELECT 'column', a.attname, b.oid, b.typname, b.typtype, b.typelem <> 0 AND b.typcategory = 'A',
           format_type(b.oid, NULL), r.relkind = 'p'
      FROM pg_attribute a
      JOIN pg_class r ON r.oid = a.attrelid
      JOIN pg_type t ON t.oid = a.atttypid
      JOIN pg_type b ON b.oid = CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END
     WHERE a.attrelid = ${relation} AND a.attnum > 0 AND NOT a.attisdropped;
    SELECT 'constraint', c.conname, string_agg(a.attname, ', ' ORDER BY k.position)
      FROM pg_constraint c, unnest(c.conkey) WITH ORDINALITY k(attnum, position), pg_attribute a
     WHERE c.conrelid = ${relation} AND a.attrelid = c.conrelid AND a.attnum = k.attnum
     GROUP BY c.oid, c.conname
    UNION ALL
    SELECT 'constraint', r.relname, string_agg(a.attname, ', ' ORDER BY a.attnum)
      FROM pg_index i JOIN pg_class r ON r.oid = i.indexrelid JOIN pg_attribute a ON a.attrelid = i.indrelid
     WHERE i.indrelid = ${relation} AND i.indisunique AND a.attnum = ANY (i.indkey)
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.conrelid = i.indrelid)
     GROUP BY r.oid, r.relname;
    SELECT 'unique', json_agg(a.attname ORDER BY k.position)
      FROM pg_index i, unnest(i.indkey) WITH ORDINALITY k(attnum, position), pg_attribute a
     WHERE i.indrelid = ${relation} AND i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL
       AND k.position <= i.indnkeyatts AND a.attrelid = i.indrelid AND a.attnum = k.attnum
     GROUP BY i.indexrelid, i.indisprimary
     ORDER BY i.indisprimary DESC, i.indexrelid`
}

export function toTable(table: string, columns: readonly string[], { rows }: Answer): Table {
  const found = rows.filter(row => row[0] === 'column')
  if (found.length === 0) throw new ValidationError(`there is no table ${quoteName(table)} in the database`)
  const byName = new Map(found.map(row => [row[1], toColumn(row)]))
  return {
    name: quoteName(table),
    columns: columns.map(name => {
      const column = byName.get(name)
      if (column) return column
      throw new ValidationError(`table ${quoteName(table)} has no column "${name}"`)
    }),
    isPartitioned: found[0]?.[7] === 't',
    constraintColumns: new Map(
      rows.filter(row => row[0] === 'constraint').map(row => [String(row[1]), String(row[2])]),
    ),
    uniqueKeys: rows.filter(row => row[0] === 'unique').map(row => JSON.parse(String(row[1])) as string[]),
  }
}

function toColumn([, name, oid, typeName, kind, isArray, sqlType]: readonly (string | null)[]): Column {
  const type = String(typeName)
  return {
    name: String(name),
    quoted: quoteName(String(name), 'column'),
    sqlType: String(sqlType),
    typeOid: Number(oid),
    isJson: type === 'json' || type === 'jsonb',
    isArray: isArray === 't',
    binary: kind === 'e' ? enumCodec : binaryCodecs.get(type),
    comparable: !withoutEquality.has(type),
  }
}
