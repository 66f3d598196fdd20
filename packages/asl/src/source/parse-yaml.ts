import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
} from 'yaml'
import { isObject } from '../json.ts'
import type { Json, JsonObject } from '../language.ts'
import { indentFlow } from './indent-flow.ts'
import { define } from './parse-json.ts'
import { createSource, type ProblemAt, type Source, type SourceNode } from './source.ts'

const maxNodes = 250_000
const maxErrors = 100
const deepest = 200
/** A level of a definition is two of the reader's, and a document has one of its own. */
const maxStack = 2 * deepest + 100
/** Twice what a definition or a template may have; the YAML reader needs long for more. */
const maxCharacters = 2_097_152

/**
 * Reads YAML, also with CloudFormation's short forms: `!Sub x` reads as `{ "Fn::Sub": x }`.
 * Never throws: what is wrong with the text is in `problems`.
 */
export function parseYaml(text: string, options: { readonly file?: string } = {}): Source {
  const { file = 'definition' } = options
  const problems: ProblemAt[] = []
  const root: SourceNode = { start: 0, end: text.length }
  const { document, original } = readDocument(text)
  if ('message' in document) {
    problems.push({ kind: 'syntax', message: document.message, pointer: [], start: 0, end: 1 })
    return createSource({ file, format: 'yaml', text, value: null, root, problems, broken: true })
  }
  for (const error of document.errors.slice(0, maxErrors)) {
    const message = error.message.split(' at line ')[0] ?? error.message
    problems.push({
      kind: 'syntax',
      message,
      pointer: [],
      start: original(error.pos[0]),
      end: original(error.pos[1]),
    })
  }
  if (document.errors.length > 0) {
    return createSource({ file, format: 'yaml', text, value: null, root, problems, broken: true })
  }

  let nodes = 0
  const anchors = new Map<string, Node>()
  const path: (string | number)[] = []
  const ancestors = new Set<Node>()
  const report = (message: string, node: SourceNode, kind: 'syntax' | 'duplicate-key' = 'syntax'): null => {
    problems.push({
      kind,
      message,
      pointer: [...path],
      start: node.keyStart ?? node.start,
      end: node.keyEnd ?? node.end,
    })
    return null
  }

  const read = (node: Node | null, place: SourceNode): Json => {
    if (node?.range) {
      place.start = original(node.range[0])
      place.end = original(node.range[1])
    }
    if (node === null) return null
    if (++nodes > maxNodes)
      return nodes === maxNodes + 1 ? report('Aliases make the document too large.', place) : null
    if (path.length > deepest) return report(`Nested more than ${deepest} levels deep.`, place)
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (target === undefined) return report(`There is no anchor "${node.source}".`, place)
      const { start, end } = place
      const value = read(target, place)
      place.start = start
      place.end = end
      return value
    }
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined)
      anchors.set(node.anchor, node)
    if (ancestors.has(node)) return report('The document contains itself through an alias.', place)
    ancestors.add(node)
    const value = readNode(node, place)
    ancestors.delete(node)
    const name = functionOf(node.tag)
    if (name === undefined) return value
    place.children = new Map([[name, { ...place }]])
    return { [name]: value }
  }

  const readNode = (node: Node, place: SourceNode): Json => {
    if (isScalar(node)) return readScalar(node.value, place)
    const children = new Map<string | number, SourceNode>()
    place.children = children
    if (isSeq(node)) {
      return node.items.map((item, index) => {
        const child: SourceNode = { start: place.start, end: place.start }
        children.set(index, child)
        path.push(index)
        const value = read(item as Node | null, child)
        path.pop()
        return value
      })
    }
    const value: Record<string, Json> = {}
    if (isMap(node)) {
      const own = new Set<string>()
      for (const pair of node.items) readPair(pair as Pair<Node, Node | null>, value, children, own)
    }
    return value
  }

  const readPair = (
    pair: Pair<Node, Node | null>,
    into: Record<string, Json>,
    children: Map<string | number, SourceNode>,
    own: Set<string>,
  ): void => {
    const key = isScalar(pair.key) ? String(pair.key.value) : pair.key.toString()
    const [keyStart, keyEnd] = (pair.key.range ?? [0, 0]).map(original) as [number, number]
    const child: SourceNode = { start: keyStart, end: keyEnd, keyStart, keyEnd }
    path.push(key)
    const field = read(pair.value, child)
    const merged = key === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN' ? mapsOf(field, child) : []
    for (const [map, place] of merged) {
      for (const [name, inherited] of Object.entries(map)) {
        if (Object.hasOwn(into, name)) continue
        define(into, name, inherited)
        children.set(name, place?.children?.get(name) ?? child)
      }
    }
    if (merged.length === 0) {
      if (own.has(key)) {
        report(`The key "${key}" is given twice; the last one counts.`, child, 'duplicate-key')
      }
      own.add(key)
      children.set(key, child)
      define(into, key, field)
    }
    path.pop()
  }

  const readScalar = (value: unknown, place: SourceNode): Json => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (typeof value === 'bigint') return Number(value)
    return report(`${String(value)} is not a JSON value.`, place)
  }

  const value = read(document.contents as Node | null, root)
  return createSource({ file, format: 'yaml', text, value, root, problems, broken: false })
}

interface ReadDocument {
  readonly document: Document.Parsed | { readonly message: string }
  /** Where in the text an offset of the document is. */
  readonly original: (offset: number) => number
}

/** What a line that is indented too little gives: inside of `{…}` and `[…]`, and inside of quotes. */
const indentation: ReadonlySet<string> = new Set(['BAD_INDENT', 'MISSING_CHAR'])

function readDocument(text: string): ReadDocument {
  const same = (offset: number): number => offset
  if (text.length > maxCharacters)
    return {
      document: { message: `YAML of more than ${maxCharacters} characters is not read.` },
      original: same,
    }
  const document = parse(text)
  if ('message' in document || !document.errors.some(({ code }) => indentation.has(code)))
    return { document, original: same }
  const indented = indentFlow(text)
  const again = parse(indented.text)
  return 'message' in again || again.errors.length > 0
    ? { document, original: same }
    : { document: again, original: indented.original }
}

function parse(text: string): ReadDocument['document'] {
  try {
    for (const document of new Composer({ uniqueKeys: false, prettyErrors: false }).compose(
      shallowTokens(text),
      true,
      text.length,
    ))
      return document
    return { message: 'YAML could not be read: there is no document.' }
  } catch (error) {
    return { message: `YAML could not be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** The tokens of a text. The reader needs ever longer for each further level, so that too many of them end it. */
function* shallowTokens(text: string): Generator<CST.Token> {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > maxStack) throw new Error(`it is nested more than ${deepest} levels deep.`)
  }
  yield* parser.end()
}

/** What a merge key may name: a map, or a list of maps; none where it is a key like any other. */
function mapsOf(value: Json, place: SourceNode): readonly (readonly [JsonObject, SourceNode | undefined])[] {
  if (isObject(value)) return [[value, place]]
  if (!Array.isArray(value) || !value.every(isObject)) return []
  return value.map((map, index) => [map, place.children?.get(index)])
}

/** What the short form of a CloudFormation function stands for. */
function functionOf(tag: string | undefined): string | undefined {
  if (tag === undefined || !tag.startsWith('!') || tag.startsWith('!!')) return undefined
  const name = tag.slice(1)
  return name === 'Ref' || name === 'Condition' ? name : `Fn::${name}`
}
