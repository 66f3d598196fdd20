import type { Json, JsonObject } from '@stepwright/asl'

export type { Json, JsonObject }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

/** What a value is called in Step Functions' messages. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (isArray(a)) {
    return isArray(b) && a.length === b.length && a.every((item, index) => equalJson(item, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => Object.hasOwn(b, key) && equalJson(a[key], b[key]))
  )
}

/** The same text for what `equalJson` finds equal, and for nothing else. */
function keyOf(value: Json): string {
  if (isArray(value)) return `[${value.map(keyOf).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map(key => `${JSON.stringify(key)}:${keyOf(value[key] as Json)}`).join()}}`
}

/** The first of all that are equal, in their order; in linear time. */
export function distinctJson(items: readonly Json[]): Json[] {
  const seen = new Set<string>()
  return items.filter(item => {
    const key = keyOf(item)
    return !seen.has(key) && seen.add(key)
  })
}

/** Crosses a JSON boundary: what comes out shares nothing with what went in, and is what `JSON.parse(JSON.stringify(…))` gives. */
export function throughJson(value: unknown): Json {
  return copy(value) ?? null
}

/** A copy for whoever may change it of what is JSON already: nothing can be in it that has to be looked for. */
export function copyJson(value: Json): Json {
  return isObject(value) ? copyFields(value) : throughJson(value)
}

/** `undefined` for what JSON leaves out. */
function copy(value: unknown): Json | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      // JSON has no negative zero.
      return Number.isFinite(value) ? value + 0 : null
    case 'object':
      return value === null ? null : copyObject(value)
    case 'bigint':
      throw new TypeError('Do not know how to serialize a BigInt')
    default:
      return undefined
  }
}

function copyObject(value: object): Json | undefined {
  if (Array.isArray(value)) return value.map(item => copy(item) ?? null)
  const prototype = Object.getPrototypeOf(value)
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) {
    const text = JSON.stringify(value)
    return text === undefined ? undefined : (JSON.parse(text) as Json)
  }
  return Object.getOwnPropertySymbols(value).length === 0
    ? copyFields(value as Record<string, unknown>)
    : copyEach(value as Record<string, unknown>)
}

/** A whole object is copied faster than one field after the other, and keeps its hidden class. */
function copyFields(value: Readonly<Record<string, unknown>>): Json {
  const result = { ...value }
  for (const key in result) {
    const item = result[key]
    if (typeof item === 'string' || typeof item === 'boolean') continue
    const copied = copy(item)
    if (copied === undefined) return copyEach(value)
    if ((copied !== item || copied === 0) && Object.hasOwn(result, key)) result[key] = copied
  }
  return result as JsonObject
}

function copyEach(value: Readonly<Record<string, unknown>>): Json {
  const result: Record<string, Json> = {}
  for (const key of Object.keys(value)) {
    const item = copy(value[key])
    if (item !== undefined) define(result, key, item)
  }
  return result
}

/** Sets a field also when it is called `__proto__`. */
export function define(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  else target[key] = value
}

/** An upper bound of a value's size as JSON text, cheap enough for every transition. */
export function atMostBytes(value: Json, budget: number): number {
  if (typeof value === 'string') return value.length * 6 + 2
  if (typeof value !== 'object' || value === null) return 26
  let bytes = 2
  if (isArray(value)) {
    for (const item of value) {
      bytes += atMostBytes(item, budget - bytes) + 1
      if (bytes > budget) return bytes
    }
    return bytes
  }
  for (const key in value) {
    bytes += key.length * 6 + 4 + atMostBytes(value[key] as Json, budget - bytes)
    if (bytes > budget) return bytes
  }
  return bytes
}

export function exceedsBytes(value: Json, limit: number): boolean {
  return atMostBytes(value, limit) > limit && Buffer.byteLength(JSON.stringify(value)) > limit
}
