import { InvalidPatternError } from './invalid-pattern-error.ts'

export interface Wildcard {
  /** The texts between the stars; one alone if there is no star. */
  readonly parts: readonly string[]
  matches(value: string): boolean
}

/** EventBridge does not publish its limit; this one agrees with what it refuses and accepts. */
export const maxOverlap = 10

/** `*` is any text, `\*` a star, `\\` a backslash. @throws InvalidPatternError */
export function parseWildcard(pattern: string): Wildcard {
  const parts = ['']
  // The position that EventBridge reports counts bytes, and a quotation mark before the text.
  const fail = (reason: string, index: number): InvalidPatternError =>
    new InvalidPatternError(`${reason} at pos ${1 + Buffer.byteLength(pattern.slice(0, index))}`)
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index]
    const next = pattern[index + 1]
    if (character === '*') {
      if (next === '*') throw fail('Consecutive wildcard characters', index)
      parts.push('')
    } else if (character === '\\') {
      if (next !== '*' && next !== '\\') throw fail('Invalid escape character', index)
      parts.push(`${parts.pop()}${next}`)
      index += 1
    } else parts.push(`${parts.pop()}${character}`)
  }
  return { parts, matches: value => matchesParts(parts, value) }
}

/** Takes the first place for each part, so that nothing is looked at again and again. */
function matchesParts(parts: readonly string[], value: string): boolean {
  const [first = '', ...others] = parts
  if (others.length === 0) return value === first
  const last = others.pop() ?? ''
  if (!value.startsWith(first) || !value.endsWith(last)) return false
  let at = first.length
  for (const part of others) {
    const found = value.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= value.length - last.length
}

/**
 * How many beginnings of the patterns one value can match at the same time: every star, which goes on matching, and
 * each beginning of a part that the value read so far ends with.
 */
export function overlapOf(wildcards: readonly Wildcard[]): number {
  const afterStars = wildcards.map(({ parts }) => parts.slice(1))
  const stars = afterStars.reduce((sum, parts) => sum + parts.length, 0)
  return stars === 0 ? 0 : stars + largestOverlap(afterStars.flat())
}

/** A text that begins one of the parts, or several of them. */
interface Beginning {
  readonly next: Map<string, Beginning>
  /** How many parts begin with it. */
  parts: number
  /** How many parts begin with it, or with an end of it. */
  overlap: number
  /** The longest end of it that begins a part, too. */
  end: Beginning | undefined
}

/** The most beginnings of parts that one text can end with (Aho and Corasick's automaton, level by level). */
function largestOverlap(parts: readonly string[]): number {
  const root: Beginning = { next: new Map(), parts: 0, overlap: 0, end: undefined }
  for (const part of parts) {
    let at = root
    for (const character of part) {
      const next = at.next.get(character) ?? { next: new Map(), parts: 0, overlap: 0, end: root }
      at.next.set(character, next)
      next.parts += 1
      at = next
    }
  }
  let largest = 0
  const level = [root]
  for (const beginning of level) {
    for (const [character, next] of beginning.next) {
      let end = beginning.end
      while (end !== undefined && !end.next.has(character)) end = end.end
      next.end = end?.next.get(character) ?? root
      next.overlap = next.parts + next.end.overlap
      largest = Math.max(largest, next.overlap)
      level.push(next)
    }
  }
  return largest
}
