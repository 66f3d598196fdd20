import { createTypedTable, type DayFiles, type TypedDay } from './typed-table.ts'

export interface FuzzOptions {
  readonly seed: number
  readonly tables: number
}

export interface FuzzReport {
  /** Values that were changed, and types that alternate; none if all is well. */
  readonly problems: readonly string[]
  /** How many values were compared. */
  readonly compared: number
}

/** A value of a raw file: what is written, and whether JSON has it in quotes. */
interface Cell {
  readonly text: string
  readonly quoted: boolean
}

type Row = Readonly<Record<string, Cell | undefined>>
type Format = 'csv' | 'json' | 'jsonl'

/**
 * Random tables of several days and files are run through the job, every day is given the types that the table has at the
 * end, and all values are read back by two readers.
 */
export async function fuzzTables({ seed, tables }: FuzzOptions): Promise<FuzzReport> {
  const problems: string[] = []
  let compared = 0
  for (let table = 0; table < tables; table += 1) {
    const random = createRandom(seed + table)
    try {
      compared += await fuzzTable(random, message => problems.push(`seed ${seed + table}: ${message}`))
    } catch (error) {
      problems.push(`seed ${seed + table}: ${(error as Error).message}`)
    }
  }
  return { problems, compared }
}

async function fuzzTable(random: Random, report: (problem: string) => void): Promise<number> {
  const format = random.of<Format>(['csv', 'json', 'jsonl'])
  const names = ['id', 'Price', 'note of', 'at', 'x.y'].slice(0, 1 + random.below(5))
  const pools = new Map(names.map(name => [name, poolOf(random, format)]))
  const table = createTypedTable({ fileType: format === 'csv' ? 'csv' : 'json' })
  const days: Row[][] = []
  for (let day = 0; day < 1 + random.below(3); day += 1) {
    const files: Row[][] = Array.from({ length: 1 + random.below(2) }, () =>
      Array.from({ length: 1 + random.below(30) }, () => rowOf(names, pools, random)),
    )
    const before = table.types()
    const bodies = files.map((rows, index) => [`${index}.${format}`, write(format, names, rows)] as const)
    await table.add(Object.fromEntries(bodies) as DayFiles)
    days.push(files.flat())
    for (const [name, type] of Object.entries(before)) {
      const now = table.types()[name]
      if (type !== null && now !== type && isWider(type, String(now))) {
        report(`${name} went back from ${type} to ${now}`)
      }
    }
  }
  if (random.below(3) === 0) {
    // Rows that come late: the day is made once more, of its files and another one.
    const index = random.below(days.length)
    const late = Array.from({ length: 1 + random.below(10) }, () => rowOf(names, pools, random))
    const all = [...(days[index] ?? []), ...late]
    await table.add({ [`late.${format}`]: write(format, names, all) }, {}, index)
    days[index] = all
  }
  let compared = 0
  const types = table.types()
  const from = random.of(['raw', 'raw', 'parquet'] as const)
  const aligned = await table.align(from)
  for (const [index, day] of aligned.entries()) {
    for (const { name, type } of day.result.columns) {
      if (types[name] !== type) report(`day ${index}: ${name} is ${type}, and ${types[name]} in the table`)
    }
    const isExact = from === 'raw'
    const reportOfDay = (message: string) => report(`day ${index}, from ${from}: ${message}`)
    compared += await compareDay(days[index] ?? [], day, names, isExact, reportOfDay)
  }
  return compared
}

/** Types are in the order of what they can hold. */
function isWider(one: string, other: string): boolean {
  const rank = (type: string) =>
    type === 'string' ? 3 : type.startsWith('decimal') ? 2 : type === 'double' ? 1 : 0
  return rank(one) > rank(other)
}

async function compareDay(
  rows: readonly Row[],
  day: TypedDay,
  names: readonly string[],
  isExact: boolean,
  report: (problem: string) => void,
): Promise<number> {
  const [found, others] = [await day.rows(), await day.otherRows()]
  const types = new Map(day.result.columns.map(({ name, type }) => [name, type]))
  if (found.length !== rows.length || others.length !== rows.length) {
    report(`${rows.length} rows became ${found.length} and ${others.length}`)
    return 0
  }
  let compared = 0
  for (const [index, row] of rows.entries()) {
    for (const name of names) {
      const type = types.get(name)
      const cell = row[name]
      compared += 1
      if (type === undefined) {
        if (cell !== undefined) report(`${name} of row ${index} is not there: ${cell.text}`)
      } else {
        const value = found[index]?.[name] ?? null
        if (!isSame(cell, value, type) && (isExact || !isSameValue(cell, value))) {
          report(`${name} (${type}) of row ${index}: ${cell?.text} became ${value}`)
        }
        const other = others[index]?.[name] ?? null
        if (!isSameElsewhere(value, other, type)) {
          report(`${name} (${type}) of row ${index}: ${value} is ${String(other)} for another reader`)
        }
      }
    }
  }
  return compared
}

function isSame(cell: Cell | undefined, value: string | null, type: string): boolean {
  if (cell === undefined || value === null) return cell === undefined && value === null
  const { text } = cell
  if (type === 'string' || type === 'boolean' || type === 'date') return text === value
  // What a double prints as its shortest text is what was written: it has lost no digit.
  if (type === 'double') return canonical(text) === canonical(String(Number(value)))
  if (type.startsWith('timestamp')) return momentOf(text) === momentOf(value)
  return canonical(text) === canonical(value)
}

/** A text that was made of a value in Parquet: the number or the moment is the same. */
function isSameValue(cell: Cell | undefined, value: string | null): boolean {
  if (cell === undefined || value === null || cell.quoted)
    return momentOf(cell?.text ?? '') === momentOf(value ?? '-')
  const isNumber = /^-?\d/.test(cell.text) && !Number.isNaN(Number(cell.text))
  return isNumber ? Number(cell.text) === Number(value) : momentOf(cell.text) === momentOf(value)
}

/** `1.50`, `1.5` and `15e-1` are the same number, digit by digit. */
function canonical(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

/** In microseconds. */
function momentOf(text: string): string {
  const [, at = '', fraction = '', zone = ''] =
    /^(.*?\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-][\d:]+)?$/.exec(text.replace(' ', 'T')) ?? []
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone || 'Z'
  return `${Date.parse(`${at}${offset}`)}.${fraction.padEnd(6, '0')}`
}

/** hyparquet has decimals as doubles, and moments of milliseconds. */
function isSameElsewhere(value: string | null, other: unknown, type: string): boolean {
  if (value === null || other === null) return value === other
  if (other instanceof Date) {
    const text = type === 'date' ? `${value}T00:00:00Z` : value
    return Math.floor(Number(momentOf(text).split('.')[0]) / 1000) === Math.floor(other.getTime() / 1000)
  }
  if (typeof other === 'number') return Math.abs(Number(value) - other) <= Math.abs(other) * 1e-12
  return String(other) === value
}

function write(format: Format, names: readonly string[], rows: readonly Row[]): string {
  if (format === 'csv') {
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
    const lines = rows.map(row =>
      names
        .map(name => row[name])
        .map(cell => (cell === undefined ? '' : cell.quoted ? quote(cell.text) : cell.text)),
    )
    return `${names.map(quote).join(',')}\n${lines.map(line => `${line.join(',')}\n`).join('')}`
  }
  const objects = rows.map(row => {
    const fields = names.map(name => {
      const cell = row[name]
      const value = cell === undefined ? 'null' : cell.quoted ? JSON.stringify(cell.text) : cell.text
      return `${JSON.stringify(name)}: ${value}`
    })
    return `{${fields.join(', ')}}`
  })
  return format === 'jsonl' ? `${objects.join('\n')}\n` : `[${objects.join(',\n ')}]`
}

function rowOf(names: readonly string[], pools: ReadonlyMap<string, (() => Cell)[]>, random: Random): Row {
  return Object.fromEntries(
    names.map(name => [name, random.below(8) === 0 ? undefined : random.of(pools.get(name) ?? [])()]),
  )
}

/** One or two kinds of values for a column, and now and then something else. */
function poolOf(random: Random, format: Format): (() => Cell)[] {
  const digits = (most: number) =>
    `${1 + random.below(9)}${Array.from({ length: random.below(most) }, () => random.below(10)).join('')}`
  const sign = () => (random.below(3) === 0 ? '-' : '')
  const pad = (value: number) => String(value).padStart(2, '0')
  const day = () => `${1990 + random.below(60)}-${pad(1 + random.below(12))}-${pad(1 + random.below(28))}`
  const clock = () =>
    `${random.of(['T', ' '])}${pad(random.below(24))}:${pad(random.below(60))}:${pad(random.below(60))}${random.of(['', '.5', '.123456'])}`
  const plain = (text: () => string) => () => ({ text: text(), quoted: false })
  // CSV has quotes for whatever it likes; in JSON they make a text.
  const words = (text: () => string) => () => ({ text: text(), quoted: true })
  const isJson = format !== 'csv'
  const times = isJson ? words : plain
  const kinds: (() => Cell)[] = [
    plain(() => `${sign()}${digits(5)}`),
    plain(() => `${sign()}${digits(18)}`),
    plain(() => `${sign()}${digits(37)}`),
    plain(() => `${sign()}${random.below(1000)}.${digits(3)}`),
    plain(() => `${sign()}${digits(8)}.${digits(10)}`),
    plain(() => `${sign()}${digits(15)}.${digits(18)}`),
    plain(() => `0.${'0'.repeat(random.below(20))}${digits(4)}`),
    plain(() => `${digits(3)}e${random.of(['', '-', '+'])}${random.below(30)}`),
    plain(() => random.of(['true', 'false'])),
    times(day),
    times(() => `${day()}${clock()}`),
    times(() => `${day()}${clock()}${random.of(['Z', '+09:00', '-03:30', '+14:00'])}`),
    words(() =>
      random.of(['', 'F', 'T', 'NaN', 'null', '00123', '+5', '1_000', '0x1F', '1.', '.5', '10:30', 'ANN']),
    ),
    words(() =>
      random.of(['a "b", c', 'line\nbreak', 'tab\there', 'é😀', '\\', 'C:\\1.50', '~1~', '{"a":1.50}']),
    ),
    words(() =>
      random.of(['09-07-2025', '2025-9-7', '2025-02-30', '0000-01-01', '2025-09-07 24:00:00', '1e400']),
    ),
    ...(isJson ? [words(() => digits(5))] : [plain(() => random.of(['1.', '.5', '+5', '007', '1e', '--1']))]),
  ]
  const chosen = [random.of(kinds)]
  if (random.below(3) === 0) chosen.push(random.of(kinds))
  // Mostly the first.
  const many = Array.from({ length: 1 + random.below(30) }, () => chosen[0] as () => Cell)
  return [...many, ...chosen.slice(1)]
}

interface Random {
  below(limit: number): number
  of<T>(values: readonly T[]): T
}

/** The same numbers for the same seed (mulberry32). */
function createRandom(seed: number): Random {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
  return { below, of: values => values[below(values.length)] as (typeof values)[number] }
}
