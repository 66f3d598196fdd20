import { createContext, Script, type Context as VmContext } from 'node:vm'

/** How long one pattern may look for matches, in all its searches of one evaluation. */
const maxSearchMs = 200

/** A pattern that can look again and again at the same text is left to itself only in texts that are not longer. */
const maxPlainCharacters = 2000

/** A regular expression takes too long: it tries more and more ways through the text. */
export class SlowPatternError extends Error {
  override readonly name = 'SlowPatternError'
  constructor({ source }: RegExp) {
    super(`The regular expression /${source}/ takes too long: simplify it, or give it less text`)
  }
}

type Cost = 'linear' | 'quadratic' | 'unbounded'

const literals = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]?/g
const unbounded = /[*+]|\{\d+,\}|\{\d{3,}/g
const backreference = /\\(?:[1-9]|k<)/

/**
 * What a search costs at worst. Without a repetition it looks at each character a few times; with one that something
 * follows, once more for every character before it; with more than one there may be no end to it.
 */
function costOf({ source }: RegExp): Cost {
  if (backreference.test(source)) return 'unbounded'
  const structure = source.replaceAll(literals, 'x')
  const repeats = [...structure.matchAll(unbounded)]
  const [only] = repeats
  if (only === undefined) return structure.length > maxPlainCharacters ? 'unbounded' : 'linear'
  if (repeats.length > 1) return 'unbounded'
  // what is repeated may itself match in more than one way: (a|a)*
  if (structure[only.index - 1] === ')') return 'unbounded'
  const rest = structure.slice(only.index + only[0].length).replace(/^\d*\}?\??/, '')
  return rest === '' ? 'linear' : 'quadratic'
}

const costs = new WeakMap<RegExp, Cost>()

function knownCost(regexp: RegExp): Cost {
  const known = costs.get(regexp) ?? costOf(regexp)
  costs.set(regexp, known)
  return known
}

let context: VmContext | undefined
const search = new Script('regexp.exec(text)')

/** Looks for a match for so long at most; the event loop waits for it. */
function execWithin(regexp: RegExp, text: string, timeout: number): RegExpExecArray | null {
  context ??= createContext(Object.create(null))
  Object.assign(context, { regexp, text })
  try {
    return search.runInContext(context, { timeout }) as RegExpExecArray | null
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new SlowPatternError(regexp)
    throw error
  } finally {
    Object.assign(context, { regexp: undefined, text: undefined })
  }
}

/** A regular expression whose searches take a limited time altogether. */
export class BoundedRegExp {
  readonly #regexp: RegExp
  readonly #cost: Cost
  #leftMs = maxSearchMs

  constructor(regexp: RegExp) {
    this.#regexp = new RegExp(regexp)
    this.#cost = knownCost(regexp)
  }

  get lastIndex(): number {
    return this.#regexp.lastIndex
  }

  set lastIndex(index: number) {
    this.#regexp.lastIndex = index
  }

  exec(text: string): RegExpExecArray | null {
    const plain = this.#cost === 'linear' || (this.#cost === 'quadratic' && text.length <= maxPlainCharacters)
    if (plain) return this.#regexp.exec(text)
    const startedMs = performance.now()
    const found = execWithin(this.#regexp, text, Math.max(1, Math.ceil(this.#leftMs)))
    this.#leftMs -= performance.now() - startedMs
    return found
  }
}
