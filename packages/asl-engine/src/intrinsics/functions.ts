import { createHash } from 'node:crypto'
import { maxIntrinsicCharacters, maxRangeElements } from '@stepwright/asl/facts'
import type { Chance } from '../expressions/scope.ts'
import { distinctJson, equalJson, isArray, isObject, type Json } from '../json.ts'

/** An intrinsic function was called with something that it does not take. */
export class IntrinsicError extends Error {
  override readonly name = 'IntrinsicError'
}

type Intrinsic = (parameters: readonly Json[], chance: Chance) => Json

const hashes = new Map([
  ['MD5', 'md5'],
  ['SHA-1', 'sha1'],
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
])

function refuse(message: string): never {
  throw new IntrinsicError(message)
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : refuse(`Expected a string but got ${JSON.stringify(value)}`)
}

function list(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : refuse(`Expected an array but got ${JSON.stringify(value)}`)
}

function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : refuse(`Expected a number but got ${JSON.stringify(value)}`)
}

/** Step Functions rounds halves up, as Java's Math.round does. */
function integer(value: Json | undefined): number {
  return Math.round(number(value))
}

function count(parameters: readonly Json[], least: number, most: number = least): void {
  if (parameters.length < least || parameters.length > most) {
    refuse(
      `Invalid number of arguments: expected ${least}${most === least ? '' : ` to ${most}`}, got ${parameters.length}`,
    )
  }
}

/** Step Functions shows objects and lists in a format as Java prints its maps and lists. */
function javaText(value: Json): string {
  if (isArray(value)) return `[${value.map(javaText).join(', ')}]`
  if (!isObject(value)) return String(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${key}=${javaText(item)}`)
    .join(', ')}}`
}

export function formatTemplate(template: string, values: readonly Json[]): string {
  let next = 0
  const filled = template.replace(/\\([{}\\])|\{\}/g, (_match, escaped?: string) => {
    if (escaped !== undefined) return escaped
    const value = values[next]
    next += 1
    return value === undefined ? '{}' : javaText(value)
  })
  if (next !== values.length) {
    refuse(`Number of arguments do not match the occurrences of {} in '${template}'`)
  }
  return filled
}

export function partition(items: readonly Json[], size: number): Json[] {
  if (size <= 0) refuse(`Expected a positive chunk size but got ${size}`)
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

function range(first: number, last: number, step: number): number[] {
  if (step === 0) refuse('The step of a range cannot be zero')
  const length = Math.max(0, Math.floor((last - first) / step) + 1)
  if (length > maxRangeElements) refuse(`A range has at most ${maxRangeElements} elements`)
  return Array.from({ length }, (_, index) => first + index * step)
}

export function hash(data: Json, algorithm: string): string {
  const name = hashes.get(algorithm) ?? refuse(`Unknown hash algorithm '${algorithm}'`)
  const content = typeof data === 'string' ? data : JSON.stringify(data)
  if (content.length > maxIntrinsicCharacters)
    refuse(`At most ${maxIntrinsicCharacters} characters can be hashed`)
  return createHash(name).update(content, 'utf8').digest('hex')
}

/** One draw of a seeded generator: the same seed gives the same number. */
function seededRandom(seed: number): number {
  let state = (Math.trunc(seed) ^ 0x9e3779b9) >>> 0
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return ((state ^ (state >>> 16)) >>> 0) / 2 ** 32
}

function splitText(content: string, delimiters: string): string[] {
  const parts: string[] = []
  let part = ''
  for (const char of content) {
    if (!delimiters.includes(char)) part += char
    else if (part !== '') {
      parts.push(part)
      part = ''
    }
  }
  return part === '' ? parts : [...parts, part]
}

export const intrinsics: Readonly<Record<string, Intrinsic>> = {
  'States.Array': parameters => parameters,
  'States.ArrayPartition': parameters => {
    count(parameters, 2)
    return partition(list(parameters[0]), integer(parameters[1]))
  },
  'States.ArrayContains': parameters => {
    count(parameters, 2)
    return list(parameters[0]).some(item => equalJson(item, parameters[1] as Json))
  },
  'States.ArrayRange': parameters => {
    count(parameters, 3)
    return range(integer(parameters[0]), integer(parameters[1]), integer(parameters[2]))
  },
  'States.ArrayGetItem': parameters => {
    count(parameters, 2)
    const item = list(parameters[0])[integer(parameters[1])]
    return item ?? (item === null ? null : refuse(`Index ${JSON.stringify(parameters[1])} is out of bounds`))
  },
  'States.ArrayLength': parameters => {
    count(parameters, 1)
    return list(parameters[0]).length
  },
  'States.ArrayUnique': parameters => {
    count(parameters, 1)
    return distinctJson(list(parameters[0]))
  },
  'States.Base64Encode': parameters => {
    count(parameters, 1)
    return Buffer.from(text(parameters[0]), 'utf8').toString('base64')
  },
  'States.Base64Decode': parameters => {
    count(parameters, 1)
    return Buffer.from(text(parameters[0]), 'base64').toString('utf8')
  },
  'States.Hash': parameters => {
    count(parameters, 2)
    return hash(parameters[0] as Json, text(parameters[1]))
  },
  'States.JsonMerge': parameters => {
    count(parameters, 3)
    const [first, second, deep] = parameters
    if (deep !== false) refuse('Only a shallow merge is supported: the third argument must be false')
    return isObject(first) && isObject(second) ? { ...first, ...second } : refuse('Expected two objects')
  },
  'States.JsonToString': parameters => {
    count(parameters, 1)
    return JSON.stringify(parameters[0])
  },
  'States.StringToJson': parameters => {
    count(parameters, 1)
    const content = text(parameters[0])
    if (content.trim() === '') return null
    try {
      return JSON.parse(content) as Json
    } catch {
      return refuse(`'${content}' is not JSON`)
    }
  },
  'States.MathAdd': parameters => {
    count(parameters, 2)
    return integer(parameters[0]) + integer(parameters[1])
  },
  'States.MathRandom': (parameters, chance) => {
    count(parameters, 2, 3)
    const first = integer(parameters[0])
    const last = integer(parameters[1])
    const drawn = parameters[2] === undefined ? chance.random() : seededRandom(integer(parameters[2]))
    return first < last
      ? first + Math.floor(drawn * (last - first))
      : refuse('The start must be below the end')
  },
  'States.StringSplit': parameters => {
    count(parameters, 2)
    return splitText(text(parameters[0]), text(parameters[1]))
  },
  'States.UUID': (parameters, chance) => {
    count(parameters, 0)
    return chance.uuid()
  },
}
