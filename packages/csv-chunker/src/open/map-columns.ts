import { type CsvProblem, shortName } from '../csv-problem.ts'

/** A column that a file must have, by whatever name. */
export interface ExpectedColumn {
  /** Other names for it. Case, full width, blanks, `-` and `_` make no difference. */
  readonly aliases?: readonly string[]
  /** @default false */
  readonly optional?: boolean
  /** Finds it in a file without header: whether this field of the first row is one of its values. */
  readonly looksLike?: (field: string) => boolean
}

export interface ColumnOptions<Name extends string = string> {
  /** The columns that are needed, by the names that the caller uses, in any order. */
  readonly columns?: Readonly<Record<Name, ExpectedColumn>>
  /** What to do with columns that nobody expects. @default 'ignore' */
  readonly otherColumns?: 'ignore' | 'refuse'
}

/** How the file names each expected column; null for an optional one that it has not. */
export type ColumnMapping<Name extends string = string> = Readonly<Record<Name, string | null>>

export interface FileColumns {
  readonly columns: readonly string[]
  /** Where it is given and `header` is false, columns are found by what it holds. */
  readonly firstRecord?: readonly string[]
  /** @default true */
  readonly header?: boolean
}

/** Finds the expected columns among a file's, or says what is wrong with its header. */
export function mapColumns<Name extends string>(
  { columns, firstRecord = [], header = true }: FileColumns,
  { columns: expected, otherColumns = 'ignore' }: ColumnOptions<Name>,
): { readonly columnOf: ColumnMapping<Name> } | { readonly problem: CsvProblem } {
  const names = Object.keys(expected ?? {}) as Name[]
  const definitionOf = (name: Name): ExpectedColumn => expected?.[name] as ExpectedColumn
  const found = new Map<Name, string>()
  for (const [index, column] of columns.entries()) {
    const name = names.find(each =>
      header
        ? [each, ...(definitionOf(each).aliases ?? [])].some(alias => sameName(alias, column))
        : !found.has(each) && definitionOf(each).looksLike?.(firstRecord[index] ?? ''),
    )
    if (name === undefined) {
      if (otherColumns === 'ignore') continue
      return mismatch(`column ${index + 1} of the header is not known`, column, columns)
    }
    const other = found.get(name)
    if (other !== undefined) {
      const message = `two columns of the header are ${name}`
      return mismatch(message, column, [other, column], 'DUPLICATE_COLUMN')
    }
    found.set(name, column)
  }
  const missing = names.find(name => !found.has(name) && !definitionOf(name).optional)
  if (missing !== undefined) {
    return mismatch(describeMissing(missing, definitionOf(missing), header), missing, header ? columns : [])
  }
  const entries = names.map(name => [name, found.get(name) ?? null])
  return { columnOf: Object.fromEntries(entries) as ColumnMapping<Name> }
}

function describeMissing(name: string, { aliases = [] }: ExpectedColumn, header: boolean): string {
  if (!header) return `no field of the first row looks like ${name}, and the file has no header`
  const names = [name, ...aliases].map(each => JSON.stringify(each)).join(' or ')
  return `the column ${name} is missing: name one ${names}`
}

const maxFound = 10

function mismatch(
  message: string,
  column: string,
  found: readonly string[],
  code: CsvProblem['code'] = 'HEADER_MISMATCH',
): { readonly problem: CsvProblem } {
  const names = found.slice(0, maxFound).map(shortName)
  const place = { rowNumber: 0, column: shortName(column), ...(names.length > 0 && { found: names }) }
  return { problem: { code, severity: 'error', message, ...place } }
}

function sameName(one: string, other: string): boolean {
  return one === other || normalize(one) === normalize(other)
}

function normalize(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '')
}
