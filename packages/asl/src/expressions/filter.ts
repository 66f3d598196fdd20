import type { Json } from '../language.ts'
import { accept, type Reader, skipSpace, stop, take, takeQuoted, Unreadable } from './reader.ts'
import {
  type FilterOperand,
  type FilterOperator,
  filterOperators,
  isDefinite,
  type PathFilter,
  type PathStep,
} from './syntax.ts'

/** Filters inside filters, as deep as anybody has use for. */
const maxDepth = 20

type ReadSteps = (reader: Reader, depth: number) => readonly PathStep[]

/** Reads a filter from behind its opening parenthesis to behind its closing one. */
export function readFilter(reader: Reader, depth: number, readSteps: ReadSteps): PathFilter {
  if (depth > maxDepth) stop(`More than ${maxDepth} filters and parentheses stand inside one another.`)
  const start = reader.at
  try {
    const filter = readEither(reader, depth, readSteps)
    skipSpace(reader)
    if (!accept(reader, ')')) stop(`"${reader.text.slice(reader.at, reader.at + 40)}" is not understood.`)
    return filter
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    reader.at = start
    skipToClose(reader)
    return { kind: 'unreadable', problem: error.message }
  }
}

const plain = /[^()'"]+/y

function skipToClose(reader: Reader): void {
  for (let depth = 1; depth > 0; ) {
    if (accept(reader, '(')) depth += 1
    else if (accept(reader, ')')) depth -= 1
    else if (take(reader, plain) === undefined && takeQuoted(reader) === undefined)
      stop('A filter is not closed.')
  }
}

function readEither(reader: Reader, depth: number, readSteps: ReadSteps): PathFilter {
  return readJoined(reader, 'or', '||', () =>
    readJoined(reader, 'and', '&&', () => readSingle(reader, depth, readSteps)),
  )
}

function readJoined(
  reader: Reader,
  kind: 'and' | 'or',
  symbol: string,
  readOne: () => PathFilter,
): PathFilter {
  const filters = [readOne()]
  for (skipSpace(reader); accept(reader, symbol); skipSpace(reader)) filters.push(readOne())
  return filters.length === 1 ? (filters[0] as PathFilter) : { kind, filters }
}

function readSingle(reader: Reader, depth: number, readSteps: ReadSteps): PathFilter {
  if (depth > maxDepth) stop(`More than ${maxDepth} filters and parentheses stand inside one another.`)
  skipSpace(reader)
  if (accept(reader, '!')) return { kind: 'not', filter: readSingle(reader, depth + 1, readSteps) }
  if (!accept(reader, '(')) return readComparison(reader, depth, readSteps)
  const filter = readEither(reader, depth + 1, readSteps)
  skipSpace(reader)
  if (!accept(reader, ')')) stop('A filter lacks a closing parenthesis.')
  return filter
}

const operatorPattern = new RegExp(
  filterOperators.map(name => (/\w/.test(name) ? `${name}(?![\\w-])` : name)).join('|'),
  'iy',
)

function readComparison(reader: Reader, depth: number, readSteps: ReadSteps): PathFilter {
  const left = readOperand(reader, depth, readSteps)
  skipSpace(reader)
  if (accept(reader, '=~')) return { kind: 'match', operand: left, pattern: readPattern(reader) }
  const operator = take(reader, operatorPattern)?.toLowerCase() as FilterOperator | undefined
  if (operator === undefined)
    return left.kind === 'path' ? { kind: 'exists', operand: left } : stop('A value by itself is not a test.')
  return { kind: 'comparison', operator, left, right: readOperand(reader, depth, readSteps) }
}

const patternText = /\/((?:\\[\s\S]|[^/\\])+)\/([a-zA-Z]*)/y

/** Java's flags that JavaScript has by the same name; a pattern has to match the whole text. */
function readPattern(reader: Reader): RegExp {
  skipSpace(reader)
  patternText.lastIndex = reader.at
  const [all, source, flags = ''] = patternText.exec(reader.text) ?? stop('A pattern is written /…/.')
  reader.at += all.length
  try {
    return new RegExp(`^(?:${source})$`, [...new Set(flags)].filter(flag => 'ims'.includes(flag)).join(''))
  } catch {
    return stop(`The pattern ${all} cannot be read.`)
  }
}

function readOperand(reader: Reader, depth: number, readSteps: ReadSteps): FilterOperand {
  skipSpace(reader)
  const first = reader.text[reader.at]
  if (first !== '@' && first !== '$') return { kind: 'value', value: readLiteral(reader) }
  reader.at += 1
  const steps = readSteps(reader, depth + 1)
  return { kind: 'path', from: first === '@' ? 'item' : 'document', steps, definite: isDefinite(steps) }
}

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.-])/y
const word = /(?:true|false|null)(?![\w-])/y

const bareWord = /[^,[\]{}'"\s][^,[\]{}'"]*/y

/** A value as it is written down. */
export function readLiteral(reader: Reader): Json {
  const value = readValue(reader)
  return value === undefined
    ? stop(`"${reader.text.slice(reader.at, reader.at + 40)}" is not a value.`)
    : value
}

function readValue(reader: Reader, depth = 0): Json | undefined {
  skipSpace(reader)
  const quoted = takeQuoted(reader)
  if (quoted !== undefined) return quoted
  const digits = take(reader, number)
  if (digits !== undefined) return Number(digits)
  const known = take(reader, word)
  if (known !== undefined) return known === 'null' ? null : known === 'true'
  return accept(reader, '[') ? readList(reader, depth + 1) : undefined
}

/** In a list, as Jayway reads it, a word may stand without quotes. */
function readList(reader: Reader, depth: number): Json {
  if (depth > maxDepth) stop(`More than ${maxDepth} lists stand inside one another.`)
  const items: Json[] = []
  skipSpace(reader)
  while (!accept(reader, ']')) {
    const value = readValue(reader, depth)
    items.push(
      value === undefined ? (take(reader, bareWord)?.trim() ?? stop('A list is not closed.')) : value,
    )
    skipSpace(reader)
    if (!accept(reader, ',') && reader.text[reader.at] !== ']') stop('A list is not closed.')
    skipSpace(reader)
  }
  return items
}
