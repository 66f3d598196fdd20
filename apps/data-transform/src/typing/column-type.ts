/** A column's type, named as Spark and the Glue catalog name it; `timestamp_ntz` is a time without a zone. */
export type ColumnType = ScalarType | StructType | ListType
export type ScalarType = string
export interface StructType {
  readonly fields: readonly { readonly name: string; readonly type: ColumnType }[]
}
export interface ListType {
  readonly items: ColumnType
}

export function isStruct(type: ColumnType): type is StructType {
  return typeof type === 'object' && 'fields' in type
}

export function isList(type: ColumnType): type is ListType {
  return typeof type === 'object' && 'items' in type
}

/** `bigint`, `array<string>`, ``struct<a:bigint,`b c`:string>``. */
export function printType(type: ColumnType): string {
  if (isList(type)) return `array<${printType(type.items)}>`
  if (!isStruct(type)) return type
  const fields = type.fields.map(({ name, type: of }) => `${printName(name)}:${printType(of)}`)
  return `struct<${fields.join(',')}>`
}

function printName(name: string): string {
  return /^\w+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``
}

/** What `printType` printed. Anything else is a scalar of that name. */
export function parseType(text: string): ColumnType {
  const [type, end] = parseAt(text, 0)
  return end === text.length ? type : text
}

function parseAt(text: string, start: number): readonly [ColumnType, number] {
  if (text.startsWith('array<', start)) {
    const [items, end] = parseAt(text, start + 6)
    return [{ items }, end + 1]
  }
  if (!text.startsWith('struct<', start)) {
    const [scalar = ''] = /^\w+(?:\([\d,]*\))?/.exec(text.slice(start)) ?? []
    return [scalar, start + scalar.length]
  }
  const fields: StructType['fields'][number][] = []
  let at = start + 7
  while (at < text.length && text[at] !== '>') {
    const [found = '', quoted, plain] = /^(?:`((?:[^`]|``)*)`|([^:`]*)):/.exec(text.slice(at)) ?? []
    if (found === '') return [text.slice(start), text.length]
    const [type, end] = parseAt(text, at + found.length)
    fields.push({ name: quoted?.replaceAll('``', '`') ?? plain ?? '', type })
    at = text[end] === ',' ? end + 1 : end
  }
  return [{ fields }, at + 1]
}

/** How many digits a number type has before and after the point; undefined for types that are not exact numbers. */
export function digitsOf(
  type: ColumnType,
): { readonly whole: number; readonly fraction: number } | undefined {
  if (typeof type !== 'string') return undefined
  const [, precision, scale] = /^decimal\((\d+),(\d+)\)$/.exec(type) ?? []
  if (precision !== undefined) return { whole: Number(precision) - Number(scale), fraction: Number(scale) }
  const whole = { tinyint: 3, smallint: 5, int: 10, bigint: 19 }[type]
  return whole === undefined ? undefined : { whole, fraction: 0 }
}

/** The same name for readers: Athena, Spark and DuckDB ignore the case of column names. */
export function sameName(name: string): string {
  return name.toLowerCase()
}

/** Whether a reader that expects a type can read a file that has another: only fields of objects may be missing. */
export function canRead(expected: ColumnType, written: ColumnType): boolean {
  if (isList(expected) && isList(written)) return canRead(expected.items, written.items)
  if (isStruct(expected) && isStruct(written)) {
    const known = new Map(expected.fields.map(({ name, type }) => [sameName(name), type]))
    return written.fields.every(({ name, type }) => {
      const wanted = known.get(sameName(name))
      return wanted !== undefined && canRead(wanted, type)
    })
  }
  return printType(expected) === printType(written)
}

const numberNames = ['double', 'float']

/** Whether every value of a type can be changed into the other without loss, if the evidence of the column says so. */
export function isNarrower(from: ColumnType, to: ColumnType): boolean {
  if (to === 'string') return true
  if (isList(from) && isList(to)) return from.items === 'string' || isNarrower(from.items, to.items)
  if (isStruct(from) && isStruct(to)) {
    const known = new Map(to.fields.map(({ name, type }) => [sameName(name), type]))
    return from.fields.every(({ name, type }) => {
      const wanted = known.get(sameName(name))
      return wanted !== undefined && (canRead(wanted, type) || isNarrower(type, wanted))
    })
  }
  const isNumber = (type: ColumnType) => digitsOf(type) !== undefined || numberNames.includes(String(type))
  return isNumber(from) && isNumber(to) && !(numberNames.includes(String(from)) && to === 'bigint')
}
