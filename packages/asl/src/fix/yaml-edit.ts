import { isDeepStrictEqual } from 'node:util'
import {
  Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Fix } from '../finding.ts'
import { isArray } from '../json.ts'
import type { Json } from '../language.ts'
import type { Pointer } from '../source/pointer.ts'

/** A stretch of the text, and what comes in its place. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * The changes that fixes make to a text of YAML in block style. What an array keeps is printed with its comments;
 * what is written in another way (in flow style, by aliases and merges) is left as it is.
 */
export function yamlEdits(text: string, fixes: readonly Fix[], before: readonly string[]): readonly Edit[] {
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' })
  if (document.errors.length > 0) return []
  return fixes.flatMap(fix => toEdit(text, document, fix, before) ?? [])
}

function toEdit(
  text: string,
  document: Document.Parsed,
  { pointer, value }: Fix,
  before: readonly string[],
): Edit | undefined {
  const parent = nodeAt(document.contents, pointer.slice(0, -1))
  const key = pointer.at(-1)
  if (value === undefined) return undefined
  if (isSeq(parent) && typeof key === 'number') return replaceScalar(text, parent.items[key], value)
  if (!isMap(parent) || parent.flow || typeof key !== 'string') return undefined
  const pair = pairOf(parent, key)
  if (pair === undefined) return insertPair(text, parent, key, value, before)
  const old = pair.value
  return isSeq(old) && isArray(value)
    ? replaceList(text, key, pair, old, value)
    : replaceScalar(text, old, value)
}

function nodeAt(root: unknown, pointer: Pointer): unknown {
  let node = root
  for (const key of pointer)
    node = isMap(node) ? pairOf(node, String(key))?.value : isSeq(node) ? node.items[Number(key)] : undefined
  return node
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.findLast(pair => isScalar(pair.key) && String(pair.key.value) === key)
}

function replaceScalar(text: string, node: unknown, value: Json): Edit | undefined {
  if (!isScalar(node) || typeof value === 'object' || !node.range) return undefined
  const [start, end] = node.range
  const quote = /^["']/.exec(text.slice(start, end))?.[0]
  const printed = quote === undefined ? String(value) : `${quote}${value}${quote}`
  return { start, end, text: printed }
}

function replaceList(
  text: string,
  key: string,
  pair: Pair,
  old: YAMLSeq,
  value: readonly Json[],
): Edit | undefined {
  const start = (pair.key as Node).range?.[0]
  const end = old.range?.[1]
  if (start === undefined || end === undefined) return undefined
  const written = old.items.map(item => (item as Node).toJSON() as Json)
  const kept = old.clone() as YAMLSeq
  const [first] = kept.items as Node[]
  if (first !== undefined && kept.commentBefore) {
    // it speaks of the first element, which may not stay the first
    first.commentBefore = kept.commentBefore
    kept.commentBefore = null
  }
  const items = value.map(item => {
    const index = written.findIndex(each => isDeepStrictEqual(each, item))
    return index === -1 ? new Document(item).contents : kept.items[index]
  })
  kept.items = items
  const printed = print(key, kept, text, start)
  if (printed === undefined) return undefined
  return { start, end: start + text.slice(start, end).trimEnd().length, text: printed }
}

function insertPair(
  text: string,
  parent: YAMLMap,
  key: string,
  value: Json,
  before: readonly string[],
): Edit | undefined {
  const anchor = before.map(name => (name === key ? undefined : pairOf(parent, name))).find(Boolean)
  const at = ((anchor ?? parent.items[0])?.key as Node | undefined)?.range?.[0]
  if (at === undefined) return undefined
  const printed = print(key, new Document(value).contents as Node, text, at)
  if (printed === undefined) return undefined
  const start = aboveComments(text, at)
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  return { start, end: start, text: `${printed}${newline}${' '.repeat(columnAt(text, at))}` }
}

/** The start of the comments right above a key, or of the key itself where there are none. */
function aboveComments(text: string, at: number): number {
  const column = columnAt(text, at)
  if (text.slice(at - column, at).trim() !== '') return at
  let start = at - column
  for (;;) {
    const above = text.lastIndexOf('\n', start - 2) + 1
    if (above >= start || !/^ *#/.test(text.slice(above, start))) return start + column
    start = above
  }
}

function columnAt(text: string, offset: number): number {
  return offset - text.lastIndexOf('\n', offset - 1) - 1
}

/** A field in block style, at the column of an offset. */
function print(key: string, value: Node, text: string, offset: number): string | undefined {
  const map = new Document({})
  map.set(key, value)
  try {
    const lines = map.toString(styleOf(text)).trimEnd().split('\n')
    const newline = text.includes('\r\n') ? '\r\n' : '\n'
    const margin = ' '.repeat(columnAt(text, offset))
    return lines.map((line, index) => (index === 0 || line === '' ? line : margin + line)).join(newline)
  } catch {
    // an alias whose anchor stands elsewhere
    return undefined
  }
}

function styleOf(text: string): ToStringOptions {
  const indent = /\n( +)\S/.exec(text)?.[1]?.length ?? 2
  return {
    indent: indent > 1 ? indent : 2,
    indentSeq: !hasFlushSequence(text.split('\n')),
    flowCollectionPadding: /\[ \S/.test(text),
    lineWidth: 0,
  }
}

/** Whether the items of a list are in the column of its key. */
function hasFlushSequence(lines: readonly string[]): boolean {
  return lines.some((line, index) => {
    const [indent = '', first = ''] = /^( *)([^ ]?)/.exec(line)?.slice(1) ?? []
    if (first === '-' || first === '#' || !line.trimEnd().endsWith(':')) return false
    return lines[index + 1]?.startsWith(`${indent}- `) === true
  })
}
