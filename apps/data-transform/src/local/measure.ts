import type { DuckDBConnection } from '@duckdb/node-api'
import { sameName } from '../typing/column-type.ts'
import { type Evidence, kinds } from '../typing/evidence.ts'
import type { ColumnEvidence } from '../typing/table-schema.ts'
import { type Dialect, evidenceSql, kindSql, type Spellings } from '../typing/token-sql.ts'
import { findKeys, type SourceColumn } from './token-source.ts'

export interface Measured {
  readonly columns: readonly ColumnEvidence[]
  /** How the fields of objects are spelled in these files, by the name of their column. */
  readonly spellings: ReadonlyMap<string, Spellings>
}

/** What all values of these columns show, also of those inside objects and lists. */
export async function measureColumns(
  duckDb: DuckDBConnection,
  from: string,
  columns: readonly SourceColumn[],
  dialect: Dialect,
): Promise<Measured> {
  if (columns.length === 0) return { columns: [], spellings: new Map() }
  const inner = columns.map(({ token }, index) => `${token} AS x${index}`)
  const withKinds = columns.map((_, index) => `x${index}, ${kindSql(`x${index}`, dialect)} AS k${index}`)
  const aggregates = columns.flatMap((_, index) => evidenceSql(`x${index}`, `k${index}`, dialect))
  const answer = await duckDb.runAndReadAll(
    `SELECT ${aggregates.map(each => `coalesce(${each}, 0)::INTEGER`).join(', ')} FROM (SELECT ${withKinds.join(', ')} FROM (SELECT ${inner.join(', ')} FROM ${from}))`,
  )
  const figures = (answer.getRows()[0] ?? []).map(Number)
  const found: ColumnEvidence[] = []
  const spellings = new Map<string, Spellings>()
  for (const [index, { name, token }] of columns.entries()) {
    const [seen = 0, whole = 0, fraction = 0, digits = 0] = figures.slice(index * 4)
    const scalar: Evidence = { kinds: seen, whole, fraction, digits }
    const nested = await measureNested(duckDb, `(SELECT ${token} AS x FROM ${from})`, seen, dialect)
    found.push({ name, evidence: { ...scalar, ...nested?.evidence } })
    if (nested) spellings.set(sameName(name), nested.spellings)
  }
  return { columns: found, spellings }
}

interface Nested {
  readonly evidence: Pick<Evidence, 'fields' | 'items'>
  readonly spellings: Spellings
}

async function measureNested(
  duckDb: DuckDBConnection,
  from: string,
  seen: number,
  dialect: Dialect,
): Promise<Nested | undefined> {
  const { json } = dialect
  if (json && seen === kinds.list) {
    const items = `(SELECT unnest(from_json(x, '["JSON"]')) AS item FROM ${from})`
    const { columns, spellings } = await measureColumns(
      duckDb,
      items,
      [{ name: 'items', token: json.token('item') }],
      dialect,
    )
    const inside = spellings.get('items') ?? plainSpelling
    return { evidence: { items: columns[0]?.evidence }, spellings: { ...plainSpelling, items: () => inside } }
  }
  if (json && seen === kinds.object) {
    const keys = await findKeys(duckDb, `(SELECT x FROM ${from} WHERE x IS NOT NULL)`)
    const fields = [...keys.values()].map(spelled => ({
      name: spelled[0] ?? '',
      token: json.field('x', spelled),
    }))
    const { columns, spellings } = await measureColumns(duckDb, from, fields, dialect)
    return {
      evidence: { fields: columns },
      spellings: {
        keys: name => keys.get(sameName(name)) ?? [name],
        field: name => spellings.get(sameName(name)) ?? plainSpelling,
        items: () => plainSpelling,
      },
    }
  }
  return undefined
}

const plainSpelling: Spellings = {
  keys: name => [name],
  field: () => plainSpelling,
  items: () => plainSpelling,
}
