import { maxDefinitionCharacters } from '../facts/limits.ts'
import type { Json } from '../language.ts'
import { findChildren, readPlainJson, skipSpace } from './plain-json.ts'
import { type Children, createSource, type ProblemAt, type Source, type SourceNode } from './source.ts'

export interface JsonSourceOptions {
  /** The file's name in findings. @default 'definition' */
  readonly file?: string
  /** Accept comments and trailing commas, as `.jsonc` files have. @default false */
  readonly comments?: boolean
  /** Accept trailing commas only. @default `comments` */
  readonly trailingCommas?: boolean
}

const deepest = 200

/** What is longer is too long for a definition, and `JSON.parse` follows it to any depth. */
const maxPlainCharacters = 2 * maxDefinitionCharacters

class Stop extends Error {
  override readonly name = 'Stop'
}

/** Reads JSON. Never throws: what is wrong with the text is in `problems`. */
export function parseJson(text: string, options: JsonSourceOptions = {}): Source {
  const { file = 'definition' } = options
  const plain = text.length > maxPlainCharacters ? undefined : readPlainJson(text, deepest)
  if (plain === undefined) return readCarefully(text, options)
  const { value } = plain
  const root = { start: skipSpace(text, 0), end: text.trimEnd().length }
  return createSource({
    file,
    format: 'json',
    text,
    value,
    root,
    problems: [],
    broken: false,
    findChildren: node => findChildren(text, node.start),
  })
}

/** Reads what is not JSON, or not quite, and tells what is wrong with it. */
function readCarefully(text: string, options: JsonSourceOptions): Source {
  const { file = 'definition', comments = false, trailingCommas = comments } = options
  const problems: ProblemAt[] = []
  const path: (string | number)[] = []
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  let toldOfComments = false
  let broken = false

  const report = (
    kind: 'syntax' | 'duplicate-key',
    message: string,
    start: number,
    end = start + 1,
  ): void => {
    problems.push({ kind, message, pointer: [...path], start, end: Math.min(end, text.length) })
  }
  const stop = (message: string, start = at, end = start + 1): never => {
    report('syntax', message, Math.min(start, text.length), end)
    throw new Stop()
  }

  const skipComment = (): void => {
    const start = at
    const line = text[at + 1] === '/'
    const close = text.indexOf(line ? '\n' : '*/', at + 2)
    if (close === -1 && !line) stop('The comment is never closed.', start, start + 2)
    at = close === -1 ? text.length : close + (line ? 1 : 2)
    if (!comments && !toldOfComments) {
      toldOfComments = true
      report('syntax', 'JSON has no comments; name the file .asl.jsonc to allow them.', start, at)
    }
  }

  const skipSpaceAndComments = (): void => {
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === 32 || code === 10 || code === 13 || code === 9) continue
      if (code !== 47 || (text[at + 1] !== '/' && text[at + 1] !== '*')) return
      skipComment()
      at -= 1
    }
  }

  const readString = (): string => {
    const start = at
    let escaped = false
    for (at++; ; at += 1) {
      const code = text.charCodeAt(at)
      if (code === 34) break
      if (Number.isNaN(code) || code === 10) stop('The string is never closed.', start, at)
      if (code < 32) stop('A control character must be written as an escape.', at)
      if (code === 92) {
        escaped = true
        at += 1
      }
    }
    at += 1
    if (!escaped) return text.slice(start + 1, at - 1)
    try {
      return JSON.parse(text.slice(start, at)) as string
    } catch {
      return stop('The string has an escape that JSON does not know.', start, at)
    }
  }

  /** `${…}` without quotes: a deployment tool puts a value of any type there. */
  const readPlaceholder = (): string => {
    const start = at
    let depth = 0
    for (at += 1; at < text.length; at += 1) {
      if (text[at] === '{') depth += 1
      else if (text[at] === '}') {
        depth -= 1
        if (depth === 0) break
      }
    }
    if (depth > 0) stop('The placeholder is never closed.', start, start + 2)
    at += 1
    return text.slice(start, at)
  }

  const literal = /[\w.+-]*/y
  const readLiteral = (): Json => {
    if (text.startsWith('${', at)) return readPlaceholder()
    literal.lastIndex = at
    const word = literal.exec(text)?.[0] ?? ''
    const start = at
    at += word.length
    if (word === 'true') return true
    if (word === 'false') return false
    if (word === 'null') return null
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return Number(word)
    const found = at >= text.length && word === '' ? 'the end of the text' : `"${word || text[at]}"`
    return stop(`Expected a value, found ${found}.`, start, Math.max(at, start + 1))
  }

  /** After an element: `true` if another one follows. */
  const readSeparator = (close: '}' | ']', opened: number): boolean => {
    skipSpaceAndComments()
    if (text[at] === close) {
      at += 1
      return false
    }
    if (text[at] !== ',') {
      if (at >= text.length) stop(`The text ends inside what "${text[opened]}" opened here.`, opened)
      stop(`Expected "," or "${close}", found "${text[at]}".`)
    }
    const comma = at++
    skipSpaceAndComments()
    if (text[at] !== close) return true
    if (!trailingCommas) report('syntax', `JSON has no comma before "${close}".`, comma)
    at += 1
    return false
  }

  const readObject = (node: SourceNode): Json => {
    const opened = at++
    const value: Record<string, Json> = {}
    const children: Children = new Map()
    node.children = children
    skipSpaceAndComments()
    if (text[at] === '}') {
      at += 1
      return value
    }
    do {
      skipSpaceAndComments()
      const keyStart = at
      if (at >= text.length) stop('The text ends inside what "{" opened here.', opened)
      if (text[at] !== '"') stop(`Expected a key in double quotes, found "${text[at]}".`)
      const key = readString()
      const child: SourceNode = { start: at, end: at, keyStart, keyEnd: at }
      path.push(key)
      if (Object.hasOwn(value, key))
        report('duplicate-key', `The key "${key}" is given twice; the last one counts.`, keyStart, at)
      children.set(key, child)
      skipSpaceAndComments()
      if (text[at] !== ':') stop(`Expected ":" after the key "${key}".`)
      at += 1
      define(value, key, readValue(child))
      path.pop()
    } while (readSeparator('}', opened))
    return value
  }

  const readArray = (node: SourceNode): Json => {
    const opened = at++
    const value: Json[] = []
    const children: Children = new Map()
    node.children = children
    skipSpaceAndComments()
    if (text[at] === ']') {
      at += 1
      return value
    }
    do {
      const child: SourceNode = { start: at, end: at }
      children.set(value.length, child)
      path.push(value.length)
      value.push(readValue(child))
      path.pop()
    } while (readSeparator(']', opened))
    return value
  }

  const readValue = (node: SourceNode): Json => {
    skipSpaceAndComments()
    node.start = at
    if (path.length > deepest) stop(`Nested more than ${deepest} levels deep.`)
    const first = text[at]
    const value =
      first === '{'
        ? readObject(node)
        : first === '['
          ? readArray(node)
          : first === '"'
            ? readString()
            : readLiteral()
    node.end = at
    return value
  }

  const root: SourceNode = { start: 0, end: text.length }
  let value: Json = null
  try {
    value = readValue(root)
    skipSpaceAndComments()
    if (at < text.length) stop(`Expected the end of the text, found "${text[at]}".`)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    broken = true
  }
  return createSource({ file, format: 'json', text, value, root, problems, broken })
}

/** Sets a field also when it is called `__proto__`. */
export function define(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else target[key] = value
}
