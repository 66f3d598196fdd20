import { runtimeFailure } from '../failures/state-failure.ts'
import type { Json } from '../json.ts'
import { type Filter, parseFilter } from './filter.ts'

/** One step of a path, in Jayway's dialect, which Step Functions speaks. */
export type Step =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'indexes'; readonly indexes: readonly number[] }
  | { readonly kind: 'slice'; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'descend' }
  | { readonly kind: 'filter'; readonly test: Filter }
  | { readonly kind: 'function'; readonly name: string; readonly parameters: readonly Json[] }

export class InvalidPathError extends Error {
  override readonly name = 'InvalidPathError'
  constructor(path: string, problem: string) {
    super(`Invalid path '${path}': ${problem}. Write a JSONPath such as $.orders[0].id`)
  }
}

/** Parses what follows `$` (or `@` in a filter). */
export function parseSteps(text: string, start: number, path: string): { steps: Step[]; end: number } {
  const steps: Step[] = []
  let at = start
  while (at < text.length) {
    const char = text[at]
    if (char === '[') {
      const parsed = parseBracket(text, at, path)
      steps.push(parsed.step)
      at = parsed.end
    } else if (char === '.') {
      if (text[at + 1] === '.') {
        steps.push({ kind: 'descend' })
        at += 2
      } else {
        at += 1
      }
      if (text[at] === '[') continue
      const parsed = parseDotted(text, at, path)
      steps.push(parsed.step)
      at = parsed.end
    } else {
      break
    }
  }
  return { steps, end: at }
}

const dottedEnd = /[\s.[\]()=!<>&|,~'"]/

function parseDotted(text: string, start: number, path: string): { step: Step; end: number } {
  let end = start
  while (end < text.length && !dottedEnd.test(text[end] as string)) end += 1
  const name = text.slice(start, end)
  if (name === '') throw new InvalidPathError(path, 'a name is missing after a dot')
  if (text[end] === '(') {
    const close = text.indexOf(')', end)
    if (close < 0) throw new InvalidPathError(path, `function ${name} is not closed`)
    const inner = text.slice(end + 1, close).trim()
    const parameters = inner === '' ? [] : (JSON.parse(`[${inner.replaceAll("'", '"')}]`) as Json[])
    return { step: { kind: 'function', name, parameters }, end: close + 1 }
  }
  return { step: name === '*' ? { kind: 'wildcard' } : { kind: 'name', name }, end }
}

function parseBracket(text: string, start: number, path: string): { step: Step; end: number } {
  const close = closingBracket(text, start, path)
  const inner = text.slice(start + 1, close).trim()
  return { step: bracketStep(inner, path), end: close + 1 }
}

function bracketStep(inner: string, path: string): Step {
  if (inner === '*') return { kind: 'wildcard' }
  if (inner.startsWith('?')) {
    const body = inner.slice(1).trim()
    if (!body.startsWith('(') || !body.endsWith(')'))
      throw new InvalidPathError(path, 'a filter is not closed')
    return { kind: 'filter', test: compileFilter(body.slice(1, -1), path) }
  }
  if (inner.startsWith("'") || inner.startsWith('"')) {
    const names = quotedNames(inner, path)
    return names.length === 1 ? { kind: 'name', name: names[0] as string } : { kind: 'names', names }
  }
  if (inner.includes(':')) {
    const [from, to] = inner.split(':').map(part => (part.trim() === '' ? undefined : integer(part, path)))
    return { kind: 'slice', from, to }
  }
  const indexes = inner.split(',').map(part => integer(part, path))
  return indexes.length === 1 ? { kind: 'index', index: indexes[0] as number } : { kind: 'indexes', indexes }
}

/** Step Functions accepts a definition whose filter it cannot read, and fails when the filter is needed. */
function compileFilter(text: string, path: string): Filter {
  try {
    return parseFilter(text, path)
  } catch (error) {
    if (!(error instanceof InvalidPathError)) throw error
    return () => {
      throw runtimeFailure(error.message)
    }
  }
}

function integer(text: string, path: string): number {
  const trimmed = text.trim()
  if (!/^-?\d+$/.test(trimmed)) throw new InvalidPathError(path, `'${trimmed}' is not an index`)
  return Number(trimmed)
}

function quotedNames(inner: string, path: string): string[] {
  const names: string[] = []
  let at = 0
  while (at < inner.length) {
    const quote = inner[at]
    if (quote !== "'" && quote !== '"') throw new InvalidPathError(path, 'a quote is missing')
    let name = ''
    at += 1
    while (at < inner.length && inner[at] !== quote) {
      if (inner[at] === '\\') at += 1
      name += inner[at]
      at += 1
    }
    names.push(name)
    at += 1
    while (at < inner.length && (inner[at] === ' ' || inner[at] === ',')) at += 1
  }
  return names
}

function closingBracket(text: string, start: number, path: string): number {
  let depth = 0
  let quote: string | undefined
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] as string
    if (quote !== undefined) {
      if (char === '\\') at += 1
      else if (char === quote) quote = undefined
    } else if (char === "'" || char === '"') quote = char
    else if (char === '[') depth += 1
    else if (char === ']') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  throw new InvalidPathError(path, 'a bracket is not closed')
}
