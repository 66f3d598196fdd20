import { remember } from '../remember.ts'

export type PathRoot =
  | { readonly kind: 'input' }
  | { readonly kind: 'context' }
  | { readonly kind: 'variable'; readonly name: string }

export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  /** Wildcards, slices, filters, unions, `..` and functions: they match any number of values. */
  | { readonly kind: 'many'; readonly text: string }

export interface ParsedPath {
  readonly text: string
  readonly root: PathRoot
  readonly steps: readonly PathStep[]
  /** `true` when the path names exactly one value. */
  readonly definite: boolean
}

/** Reads a JSONPath as Step Functions has them: `$.a[0]`, `$$.Execution.Name`, `$variable.b`. */
export const parsePath: (text: string) => ParsedPath | undefined = remember(given => {
  const text = given.trim()
  const root = readRoot(text)
  if (root === undefined) return undefined
  const steps = readSteps(text, root.end)
  if (steps === undefined) return undefined
  return { text, root: root.root, steps, definite: steps.every(step => step.kind !== 'many') }
})

/** A path that may be written to: only fields and indexes, and neither context nor variables. */
export function isReferencePath(path: ParsedPath): boolean {
  return path.definite && path.root.kind === 'input'
}

const variableName = /^\$([\p{L}_][\p{L}\p{Nd}_]*)/u

function readRoot(text: string): { readonly root: PathRoot; readonly end: number } | undefined {
  if (!text.startsWith('$')) return undefined
  if (text.startsWith('$$')) return { root: { kind: 'context' }, end: 2 }
  const name = variableName.exec(text)?.[1]
  if (name === undefined) return { root: { kind: 'input' }, end: 1 }
  return { root: { kind: 'variable', name }, end: name.length + 1 }
}

function readSteps(text: string, from: number): readonly PathStep[] | undefined {
  const steps: PathStep[] = []
  let at = from
  while (at < text.length) {
    const read = text[at] === '[' ? readBracket(text, at) : text[at] === '.' ? readDot(text, at) : undefined
    if (read === undefined) return undefined
    steps.push(read.step)
    at = read.end
  }
  return steps
}

interface ReadStep {
  readonly step: PathStep
  readonly end: number
}

const dotName = /[^.[\]()'"*,?@=<>!&|]+/y

function readDot(text: string, at: number): ReadStep | undefined {
  if (text[at + 1] === '.')
    return { step: { kind: 'many', text: '..' }, end: text[at + 2] === '[' ? at + 2 : at + 1 }
  if (text[at + 1] === '*') return { step: { kind: 'many', text: '*' }, end: at + 2 }
  // `$.[0]` and `$.['a']` are accepted
  if (text[at + 1] === '[') return readBracket(text, at + 1)
  dotName.lastIndex = at + 1
  const name = dotName.exec(text)?.[0]
  if (name === undefined || name.trim() === '') return undefined
  const end = at + 1 + name.length
  if (text[end] !== '(') return { step: { kind: 'field', name }, end }
  const close = text.indexOf(')', end)
  return close === -1 ? undefined : { step: { kind: 'many', text: `${name}()` }, end: close + 1 }
}

function readBracket(text: string, at: number): ReadStep | undefined {
  const close = findClose(text, at)
  if (close === undefined) return undefined
  const inside = text.slice(at + 1, close).trim()
  const end = close + 1
  if (inside === '') return undefined
  const quoted = /^(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")$/.exec(inside)
  if (quoted)
    return { step: { kind: 'field', name: (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/g, '$1') }, end }
  if (/^\d+$/.test(inside)) return { step: { kind: 'index', index: Number(inside) }, end }
  if (isManySelector(inside)) return { step: { kind: 'many', text: inside }, end }
  return undefined
}

function isManySelector(inside: string): boolean {
  return (
    inside === '*' ||
    inside.startsWith('?') ||
    /^-?\d*\s*:\s*-?\d*(\s*:\s*-?\d*)?$/.test(inside) ||
    /^-?\d+(\s*,\s*-?\d+)*$/.test(inside) ||
    /^(['"]).*\1(\s*,\s*(['"]).*\3)*$/.test(inside) ||
    /^\(?@/.test(inside) ||
    // an index taken from a path: `$.items[$.index]`
    parsePath(inside) !== undefined
  )
}

function findClose(text: string, at: number): number | undefined {
  let depth = 0
  let quote = ''
  for (let here = at; here < text.length; here += 1) {
    const char = text[here] as string
    if (char === '\\') here += 1
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === "'" || char === '"') quote = char
    else if (char === '[' || char === '(') depth += 1
    else if ((char === ']' || char === ')') && --depth === 0) return char === ']' ? here : undefined
  }
  return undefined
}
