import { jsonataElementBytes, maxJsonataBytes, maxJsonataCharacters } from '@stepwright/asl/facts'
import { distinctJson, type Json } from '../json.ts'

/** An expression makes more than Step Functions lets it make. */
export class JsonataLimitError extends Error {
  override readonly name = 'JsonataLimitError'
}

export const maxElements: number = Math.floor(maxJsonataBytes / jsonataElementBytes)

function isFunction(value: unknown): boolean {
  if (typeof value === 'function') return true
  return (
    typeof value === 'object' &&
    value !== null &&
    ('_jsonata_lambda' in value || '_jsonata_function' in value)
  )
}

const sizes = new WeakMap<object, number>()

/**
 * The bytes of a value, at every place at which it stands: an expression can put a list into itself twice so often that
 * whoever walks through it never comes to an end.
 */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length * 2
  if (typeof value !== 'object' || value === null) return 0
  const known = sizes.get(value)
  if (known !== undefined) return known
  if (isFunction(value)) return 0
  let bytes = 0
  for (const item of Array.isArray(value) ? value : Object.values(value))
    bytes += jsonataElementBytes + bytesOf(item)
  // a sequence may still grow
  if (!('sequence' in value)) sizes.set(value, bytes)
  return bytes
}

/** Fails for a text or a value that is too large. */
export function checkMade(value: unknown): void {
  if (typeof value === 'string') checkCharacters(value.length)
  else if (bytesOf(value) > maxJsonataBytes)
    throw new JsonataLimitError(`A value has at most ${maxJsonataBytes} bytes`)
}

function checkCharacters(characters: number): void {
  if (characters > maxJsonataCharacters)
    throw new JsonataLimitError(`A text has at most ${maxJsonataCharacters} characters`)
}

interface NativeFunction {
  readonly _jsonata_function: true
  readonly implementation: (...args: readonly unknown[]) => unknown
}

interface Bindings {
  readonly lookup: (name: string) => unknown
  readonly bind: (name: string, value: unknown) => void
}

type Guard = (args: readonly unknown[], make: () => unknown) => unknown

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

function isBase64(text: string): boolean {
  const padded = text.endsWith('=')
  return base64.test(text) && (padded ? text.length % 4 === 0 : text.length % 4 !== 1)
}

/** JSONata's own functions that make much of little, or look at everything again for everything. */
const guards: Readonly<Record<string, Guard>> = {
  pad: ([, width], make) => {
    checkCharacters(Math.abs(Number(width)))
    return make()
  },
  join: ([texts, separator = ''], make) => {
    if (!Array.isArray(texts)) return make()
    let characters = 0
    for (const text of texts) characters += String(text).length + String(separator).length
    checkCharacters(characters)
    return make()
  },
  string: ([value], make) => {
    checkMade(value)
    return make()
  },
  distinct: ([list], make) => {
    if (!Array.isArray(list) || list.length < 100 || list.some(isFunction)) return make()
    checkMade(list)
    const kept = distinctJson(list as Json[])
    return 'sequence' in list ? Object.assign(kept, { sequence: true }) : kept
  },
  base64decode: ([text], make) => {
    if (typeof text === 'string' && !isBase64(text)) throw new JsonataLimitError('The text is not base64')
    return make()
  },
}

const guarded = new WeakMap<NativeFunction, unknown>()

/** The functions of which an expression calls one, by its text. */
export function guardsFor(text: string): readonly string[] {
  return Object.keys(guards).filter(name => text.includes(`$${name}`))
}

/** Puts the guarded functions in place of JSONata's own. */
export function bindGuards(frame: Bindings, names: readonly string[]): void {
  for (const name of names) {
    const native = frame.lookup(name) as NativeFunction | undefined
    if (native?._jsonata_function !== true) continue
    const known = guarded.get(native) ?? guard(native, guards[name] as Guard)
    guarded.set(native, known)
    frame.bind(name, known)
  }
}

function guard(native: NativeFunction, check: Guard): unknown {
  return {
    ...native,
    implementation(this: unknown, ...args: readonly unknown[]) {
      return check(args, () => native.implementation.apply(this, [...args]))
    },
  }
}
