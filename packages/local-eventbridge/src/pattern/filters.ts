import { BlockList, isIP } from 'node:net'
import { matchesWildcard } from './wildcard.ts'

type Filter = (operand: unknown, value: unknown) => boolean

/** Whether a field has the value, or matches the filter; of a list of values one has to. */
export function matchesFilter(filter: unknown, found: unknown): boolean {
  const [name, operand] = operatorOf(filter)
  // Only what has no fields of its own exists, in the sense of patterns; of an empty list there is nothing.
  const isThere = Array.isArray(found) ? found.length > 0 : found !== undefined && !isObject(found)
  if (name === 'exists') return operand === isThere
  if (!isThere) return false
  const values: readonly unknown[] = Array.isArray(found) ? found : [found]
  return values.some(value => (name === undefined ? filter === value : apply(name, operand, value)))
}

export function isOperator(name: string): boolean {
  return name === 'exists' || Object.hasOwn(filters, name)
}

function apply(name: string, operand: unknown, value: unknown): boolean {
  return filters[name]?.(operand, value) ?? false
}

const filters: Readonly<Record<string, Filter>> = {
  prefix: text((value, operand) => value.startsWith(operand)),
  suffix: text((value, operand) => value.endsWith(operand)),
  'equals-ignore-case': anyOf(
    (operand, value) => typeof value === 'string' && fold(value) === fold(String(operand)),
  ),
  wildcard: anyOf((operand, value) => typeof value === 'string' && matchesWildcard(String(operand), value)),
  numeric: (operand, value) =>
    typeof value === 'number' && comparisons(operand).every(([sign, to]) => compare(value, sign, to)),
  cidr: (operand, value) => typeof value === 'string' && isWithin(value, String(operand)),
  'anything-but': (operand, value) => {
    const [name, inner] = operatorOf(operand)
    if (name !== undefined) return typeof value === 'string' && !apply(name, inner, value)
    return !(Array.isArray(operand) ? operand : [operand]).includes(value)
  },
}

/** `{ prefix: 'a' }`, `{ prefix: ['a', 'b'] }` inside `anything-but`, `{ prefix: { 'equals-ignore-case': 'A' } }`. */
function text(compareTexts: (value: string, operand: string) => boolean): Filter {
  return anyOf((operand, value) => {
    if (typeof value !== 'string') return false
    const [name, inner] = operatorOf(operand)
    return name === 'equals-ignore-case'
      ? compareTexts(fold(value), fold(String(inner)))
      : compareTexts(value, String(operand))
  })
}

function anyOf(filter: Filter): Filter {
  return (operand, value) => (Array.isArray(operand) ? operand : [operand]).some(each => filter(each, value))
}

/** The name and the operand of `{ name: operand }`. */
function operatorOf(filter: unknown): readonly [name: string | undefined, operand: unknown] {
  const [entry] = isObject(filter) ? Object.entries(filter) : []
  return entry ?? [undefined, undefined]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fold(value: string): string {
  return value.toLowerCase()
}

/** `['>', 0, '<=', 5]` in pairs. */
export function comparisons(operand: unknown): (readonly [sign: unknown, to: unknown])[] {
  const list = Array.isArray(operand) ? operand : []
  return Array.from({ length: Math.ceil(list.length / 2) }, (_, at) => [list[at * 2], list[at * 2 + 1]])
}

function compare(value: number, sign: unknown, to: unknown): boolean {
  if (typeof to !== 'number') return false
  if (sign === '=') return value === to
  if (sign === '<') return value < to
  if (sign === '<=') return value <= to
  if (sign === '>') return value > to
  return sign === '>=' && value >= to
}

function isWithin(address: string, block: string): boolean {
  const family = isIP(address)
  const [network = '', bits] = block.split('/')
  if (family === 0 || isIP(network) !== family) return false
  const list = new BlockList()
  const type = family === 6 ? 'ipv6' : 'ipv4'
  list.addSubnet(network, bits === undefined ? (family === 6 ? 128 : 32) : Number(bits), type)
  return list.check(address, type)
}
