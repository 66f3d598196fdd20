import type { Json } from '../language.ts'
import { remember } from '../remember.ts'
import { readFilter, readLiteral } from './filter.ts'
import { accept, type Reader, readOrExplain, skipSpace, stop, take, takeQuotedName } from './reader.ts'
import { isDefinite, type ParsedPath, type PathRoot, type PathStep } from './syntax.ts'

/** Reads a JSONPath as Step Functions has them: `$.a[0]`, `$$.Execution.Name`, `$variable.b`. The string says what is wrong with it. */
export const parsePath: (text: string) => ParsedPath | string = remember(given =>
  readOrExplain(() => {
    const text = given.trim()
    const reader = { text, at: 0 }
    const root = readRoot(reader)
    const steps = readSteps(reader, 0)
    if (reader.at < text.length) stop(`"${text.slice(reader.at)}" is not understood.`)
    return { text, root, steps, definite: isDefinite(steps) }
  }),
)

/** A path that may be written to: only fields and indexes, and neither context nor variables. */
export function isReferencePath(path: ParsedPath): boolean {
  return (
    path.root.kind === 'input' &&
    path.steps.every(step => step.kind === 'field' || (step.kind === 'index' && step.index >= 0))
  )
}

const variableName = /[\p{ID_Start}_]\p{ID_Continue}*/uy

function readRoot(reader: Reader): PathRoot {
  if (!accept(reader, '$')) stop('A path begins with $.')
  if (accept(reader, '$')) return { kind: 'context' }
  const name = take(reader, variableName)
  return name === undefined ? { kind: 'input' } : { kind: 'variable', name }
}

/** The steps that follow `$`, or `@` in a filter. */
function readSteps(reader: Reader, depth: number): readonly PathStep[] {
  const steps: PathStep[] = []
  for (;;) {
    const next = reader.text[reader.at]
    if (next === '[') steps.push(readBracket(reader, depth))
    else if (next === '.') {
      reader.at += 1
      if (accept(reader, '.')) steps.push({ kind: 'descend' })
      // `$.[0]` and `$.['a']` are accepted
      if (reader.text[reader.at] !== '[') steps.push(readName(reader))
    } else return steps
  }
}

const dottedName = /[^\s.[\]()'"*,?@=<>!&|~]+/y

function readName(reader: Reader): PathStep {
  if (accept(reader, '*')) return { kind: 'wildcard' }
  const name = take(reader, dottedName) ?? stop('A name is missing after a dot.')
  if (!accept(reader, '(')) return { kind: 'field', name }
  const parameters: Json[] = []
  skipSpace(reader)
  while (!accept(reader, ')')) {
    parameters.push(readLiteral(reader))
    skipSpace(reader)
    if (!accept(reader, ',') && reader.text[reader.at] !== ')') stop(`The function ${name} is not closed.`)
    skipSpace(reader)
  }
  return { kind: 'function', name, parameters }
}

const numbers = /[\d,:\s-]+/y

function readBracket(reader: Reader, depth: number): PathStep {
  reader.at += 1
  skipSpace(reader)
  const next = reader.text[reader.at]
  const step =
    next === '*'
      ? readWildcard(reader)
      : next === '?'
        ? readFilterStep(reader, depth)
        : next === "'" || next === '"'
          ? readNames(reader)
          : readNumbers(take(reader, numbers))
  skipSpace(reader)
  if (!accept(reader, ']')) stop('A bracket is not closed.')
  return step
}

function readWildcard(reader: Reader): PathStep {
  reader.at += 1
  return { kind: 'wildcard' }
}

function readFilterStep(reader: Reader, depth: number): PathStep {
  reader.at += 1
  skipSpace(reader)
  if (!accept(reader, '(')) stop('A filter is written [?(…)].')
  return { kind: 'filter', filter: readFilter(reader, depth, readSteps) }
}

function readNames(reader: Reader): PathStep {
  const names: string[] = []
  do {
    skipSpace(reader)
    names.push(takeQuotedName(reader) ?? stop('A quoted name is not closed.'))
    skipSpace(reader)
  } while (accept(reader, ','))
  const [only, ...others] = names
  return others.length === 0 ? { kind: 'field', name: only ?? '' } : { kind: 'fields', names }
}

function readNumbers(taken: string | undefined): PathStep {
  const given = taken?.trim() ?? ''
  const slice = /^(-?\d+)?:(-?\d+)?(?::(-?\d+)?)?$/.exec(given)
  if (slice !== null && given.replaceAll(':', '') !== '') {
    const [, from, to] = slice
    return { kind: 'slice', from: toNumber(from), to: toNumber(to) }
  }
  if (!/^-?\d+(\s*,\s*-?\d+)*$/.test(given))
    stop(`"[${given}" is not a name in quotes, an index, a slice, * or a filter.`)
  const indexes = given.split(',').map(Number)
  const [only, ...others] = indexes
  return others.length === 0 ? { kind: 'index', index: only ?? 0 } : { kind: 'indexes', indexes }
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
