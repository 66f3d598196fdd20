import { ValidationError } from '@stepwright/errors'
import { type BinaryCodec, binaryCodecs, enumCodec } from './codecs.ts'
import type { Answer } from './exchange.ts'
import { quoteLiteral, quoteName } from './quote.ts'

export interface Column {
  readonly name: string
  readonly quoted: string
  /**
   * The type's name as SQL spells it, of a domain that of its base, without its modifier: `bpchar` for `char(2)`. A
   * cast to the whole type would cut values that the column refuses, and `character` alone is one character.
   */
  readonly sqlType: string
  /** What rounds a value as the column does; undefined where values are stored as they come or not at all. */
  readonly roundedType: string | undefined
  readonly typeOid: number
  /** Its name in pg_type, of a domain that of its base. */
  readonly typeName: string
  readonly isEnum: boolean
  /** Whether the type has a length or a precision: `varchar(10)`. */
  readonly hasModifier: boolean
  /** Whether its collation takes different texts for the same. */
  readonly isLoose: boolean
  readonly isJson: boolean
  /** An array or a row: `unnest` would take it apart. */
  readonly isCompound: boolean
  readonly isFloat: boolean
  /** Undefined where only text will do. */
  readonly binary: BinaryCodec | undefined
  /** Whether values that are equal are the same: 1.0 and 1.00 aren't, and some types have no equality. */
  readonly isExact: boolean
}

export interface Table {
  /** Quoted, with its schema if one was given. */
  readonly name: string
  readonly columns: readonly Column[]
  /** Whether it tells which rows a statement inserted: partitioned tables and views don't. */
  readonly tellsInserted: boolean
  /** COPY does not write into views, nor where row level security holds for the user. */
  readonly takesCopy: boolean
  /** Which columns a constraint or a unique index is about. */
  readonly constraintColumns: ReadonlyMap<string, string>
  /** The columns of the keys that a conflict may be about, the primary key first; undefined of a view. */
  readonly uniqueKeys: readonly (readonly string[])[] | undefined
}

/** Types whose equal values are the same values. */
const exactTypes = new Set([
  ...['bool', 'int2', 'int4', 'int8', 'oid', 'uuid', 'text', 'varchar', 'bpchar', 'name', 'char', 'bytea'],
  ...[
    'date',
    'time',
    'timestamp',
    'timestamptz',
    'money',
    'bit',
    'varbit',
    'inet',
    'cidr',
    'macaddr',
    'macaddr8',
  ],
])
/** Types whose modifier rounds. That of others refuses what does not fit, which a cast would cut. */
const roundedTypes = new Set(['numeric', 'time', 'timetz', 'timestamp', 'timestamptz', 'interval'])

/** The catalog queries in one string, each row marked with where it comes from. */
export function describeTableSql(table: string): string {
  const relation = `to_regclass(${quoteLiteral(quoteName(table))})`
  return `
    SELECT 'column', a.attname, b.oid, b.typname, b.typtype, b.typelem <> 0 AND b.typcategory = 'A',
           format_type(b.oid, -1), r.relkind, base.modifier >= 0, format_type(b.oid, base.modifier),
           coalesce((SELECT NOT c.collisdeterministic FROM pg_collation c WHERE c.oid = a.attcollation), false),
           a.attgenerated <> '', row_security_active(r.oid)
      FROM pg_attribute a
      JOIN pg_class r ON r.oid = a.attrelid
      -- A domain may be one of a domain.
      JOIN LATERAL (
        WITH RECURSIVE chain (type, modifier) AS (
          SELECT a.atttypid, a.atttypmod
          UNION ALL
          SELECT d.typbasetype, d.typtypmod FROM chain JOIN pg_type d ON d.oid = chain.type AND d.typtype = 'd')
        SELECT chain.* FROM chain JOIN pg_type e ON e.oid = chain.type AND e.typtype <> 'd'
      ) base ON true
      JOIN pg_type b ON b.oid = base.type
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
     WHERE i.indrelid = ${relation} AND i.indisunique AND i.indimmediate AND i.indisvalid
       AND i.indpred IS NULL AND i.indexprs IS NULL
       AND k.position <= i.indnkeyatts AND a.attrelid = i.indrelid AND a.attnum = k.attnum
     GROUP BY i.indexrelid, i.indisprimary
     ORDER BY i.indisprimary DESC, i.indexrelid`
}

export function toTable(table: string, columns: readonly string[], { rows }: Answer): Table {
  const found = rows.filter(row => row[0] === 'column')
  if (found.length === 0) throw new ValidationError(`there is no table ${quoteName(table)} in the database`)
  const byName = new Map(found.map(row => [row[1], row]))
  const kind = found[0]?.[7]
  return {
    name: quoteName(table),
    columns: columns.map(name => {
      const row = byName.get(name)
      if (!row) throw new ValidationError(`table ${quoteName(table)} has no column "${name}"`)
      if (row[11] !== 't') return toColumn(row)
      throw new ValidationError(
        `column "${name}" of table ${quoteName(table)} is generated and cannot be written`,
      )
    }),
    tellsInserted: kind !== 'p' && kind !== 'v',
    takesCopy: kind !== 'v' && found[0]?.[12] !== 't',
    constraintColumns: new Map(
      rows.filter(row => row[0] === 'constraint').map(row => [String(row[1]), String(row[2])]),
    ),
    uniqueKeys:
      kind === 'v'
        ? undefined
        : rows.filter(row => row[0] === 'unique').map(row => JSON.parse(String(row[1])) as string[]),
  }
}

function toColumn(row: readonly (string | null)[]): Column {
  const [, name, oid, typeName, kind, isArray, sqlType, , isModified, wholeType, isLoose] = row
  const type = String(typeName)
  return {
    name: String(name),
    quoted: quoteName(String(name), 'column'),
    sqlType: String(sqlType),
    roundedType: isModified === 't' && roundedTypes.has(type) ? String(wholeType) : undefined,
    typeOid: Number(oid),
    typeName: type,
    isEnum: kind === 'e',
    hasModifier: isModified === 't',
    isLoose: isLoose === 't',
    isJson: type === 'json' || type === 'jsonb',
    isCompound: isArray === 't' || kind === 'c',
    isFloat: /^_?float[48]$/.test(type),
    binary: kind === 'e' ? enumCodec : binaryCodecs.get(type),
    isExact: (kind === 'e' || exactTypes.has(type)) && isLoose !== 't',
  }
}
