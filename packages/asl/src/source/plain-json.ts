import { isArray } from '../json.ts'
import type { Json } from '../language.ts'
import type { Children } from './source.ts'

/**
 * What `JSON.parse` makes of a text; `undefined` where it refuses it, or where a key is given twice or has an escape:
 * V8 13.6 takes the key `"\n"` for a backslash where it has met one in the same place before.
 */
export function readPlainJson(text: string, maxDepth: number): { readonly value: Json } | undefined {
  try {
    const value = JSON.parse(text) as Json
    return keysOf(value, maxDepth) === keysIn(text) ? { value } : undefined
  } catch {
    return undefined
  }
}

/** How many keys there are in a value, at all depths; not a number where it is nested too deep. */
function keysOf(value: Json, maxDepth: number): number {
  if (maxDepth < 0) return Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  let keys = 0
  if (isArray(value)) for (const item of value) keys += keysOf(item, maxDepth - 1)
  else {
    const names = Object.keys(value)
    keys = names.length
    for (const name of names) keys += keysOf(value[name] as Json, maxDepth - 1)
  }
  return keys
}

/** How many keys stand in a text that is JSON: strings that a colon follows; not a number where one has an escape. */
function keysIn(text: string): number {
  const nextEscape = (from: number): number => {
    const found = text.indexOf('\\', from)
    return found === -1 ? text.length : found
  }
  let keys = 0
  let escapeAt = nextEscape(0)
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    const start = at
    const end = endOfString(text, start)
    at = skipSpace(text, end)
    if (text.charCodeAt(at) !== colon) continue
    keys += 1
    if (escapeAt < start) escapeAt = nextEscape(start)
    if (escapeAt < end) return Number.NaN
  }
  return keys
}

const [quote, colon, comma, backslash] = [34, 58, 44, 92]
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93]

/** The children of the object or array that begins at an offset of a text that is JSON, without escapes in its keys. */
export function findChildren(text: string, start: number): Children {
  const children: Children = new Map()
  const first = text.charCodeAt(start)
  if (!isOpening(first)) return children
  const last = first === openBrace ? closeBrace : closeBracket
  for (let at = skipSpace(text, start + 1); text.charCodeAt(at) !== last; at = skipSpace(text, at)) {
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1)
    let key: string | number = children.size
    let [keyStart, keyEnd]: (number | undefined)[] = []
    if (first === openBrace) {
      keyStart = at
      keyEnd = endOfString(text, at)
      key = text.slice(at + 1, keyEnd - 1)
      at = skipSpace(text, skipSpace(text, keyEnd) + 1)
    }
    const end = endOfValue(text, at)
    children.set(key, { start: at, end, keyStart, keyEnd, children: undefined })
    at = end
  }
  return children
}

/** Where the value ends that begins at an offset. */
function endOfValue(text: string, start: number): number {
  let at = start
  if (text.charCodeAt(at) === quote) return endOfString(text, at)
  if (!isOpening(text.charCodeAt(at))) {
    while (/[\w.+-]/.test(text.charAt(at))) at += 1
    return at
  }
  for (let depth = 0; ; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at) - 1
    else if (isOpening(code)) depth += 1
    else if (code === closeBrace || code === closeBracket) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
}

function isOpening(code: number): boolean {
  return code === openBrace || code === openBracket
}

/** Where the string ends that begins at an offset: behind the first quote that an even number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end + 1
  }
}

export function skipSpace(text: string, start: number): number {
  let at = start
  while (isSpace(text.charCodeAt(at))) at += 1
  return at
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
