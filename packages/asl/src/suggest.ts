import { closest } from '@stepwright/errors/spelling'

/** Each is compared with all candidates: where so many are wrong, a hint for every one of them helps nobody. */
const maxWords = 100

/** Finds what a word meant, of candidates of which there may be many; after a number of words it no longer does. */
export function suggestFrom(candidates: readonly string[]): (word: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  return word => {
    if (!known.has(word) && known.size < maxWords) known.set(word, closest(word, candidates))
    return known.get(word)
  }
}
