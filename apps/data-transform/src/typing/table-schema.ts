import * as z from 'zod/mini'
import { type ColumnType, canRead, parseType, printType, sameName } from './column-type.ts'
import { assumeType, type Evidence, evidenceSchema, mergeEvidence, typeOf } from './evidence.ts'

/** What a table's values have shown so far, in the order in which the columns came; the type is null after nulls only. */
export const tableColumn = z.object({
  name: z.string(),
  type: z.nullable(z.string()),
  evidence: evidenceSchema,
})
export type TableColumn = z.infer<typeof tableColumn>

/** What `_schema/types.json` holds. */
export const tableSchema = z.object({
  columns: z.array(tableColumn),
  /** Whether days may have other types than these: they are to be rewritten before the catalog learns of it. */
  stale: z.boolean(),
})
export type TableSchema = z.infer<typeof tableSchema>

export interface WrittenColumn {
  readonly name: string
  readonly type: string
}

export interface ColumnEvidence {
  readonly name: string
  readonly evidence: Evidence
}

/** Types that the settings of a table give, by the names of columns in whatever case. */
export type GivenTypes = ReadonlyMap<string, ColumnType>

/** The columns of a table after more was seen of it. */
export function widenColumns(
  known: readonly TableColumn[],
  seen: readonly ColumnEvidence[],
  given: GivenTypes = new Map(),
): TableColumn[] {
  const merged = new Map<string, ColumnEvidence>(known.map(column => [sameName(column.name), column]))
  for (const { name, evidence } of seen) {
    const column = merged.get(sameName(name))
    const total = column ? mergeEvidence(column.evidence, evidence) : evidence
    merged.set(sameName(name), { name: column?.name ?? name, evidence: total })
  }
  return [...merged.values()].map(({ name, evidence }) => {
    const type = given.get(sameName(name)) ?? typeOf(evidence)
    return { name, type: type === undefined ? null : printType(type), evidence }
  })
}

/** The columns of a table that is older than its evidence. */
export function assumeColumns(columns: readonly WrittenColumn[]): TableColumn[] {
  return columns.map(({ name, type }) => ({ name, type, evidence: assumeType(parseType(type)) }))
}

/** The columns of a file that a reader of the table could not read. */
export function staleColumns(
  table: readonly TableColumn[],
  written: readonly WrittenColumn[],
): readonly { readonly name: string; readonly from: ColumnType; readonly to: ColumnType }[] {
  const known = new Map(table.map(({ name, type }) => [sameName(name), type]))
  return written.flatMap(({ name, type }) => {
    const wanted = known.get(sameName(name))
    if (wanted === undefined || wanted === null) return []
    const [from, to] = [parseType(type), parseType(wanted)]
    return canRead(to, from) ? [] : [{ name, from, to }]
  })
}
