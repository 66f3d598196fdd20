import type { KeyIndex } from './key-index.ts'
import { compareKeys } from './key-index.ts'

export interface ListingOptions {
  readonly prefix: string
  readonly delimiter: string
  /** The last key or common prefix that the caller knows; empty to start at the beginning. */
  readonly after: string
  readonly maxKeys: number
}

export interface Listing {
  readonly keys: readonly string[]
  readonly commonPrefixes: readonly string[]
  /** Where to go on, if there is more. */
  readonly next: string | undefined
}

/** One page of keys; those that share what comes up to the delimiter count once, as a common prefix. */
export function listKeys(index: KeyIndex, { prefix, delimiter, after, maxKeys }: ListingOptions): Listing {
  const keys: string[] = []
  const commonPrefixes: string[] = []
  let last = ''
  let position = startPosition(index, prefix, delimiter, after)
  while (keys.length + commonPrefixes.length < maxKeys) {
    const key = index.at(position)
    if (key === undefined || !key.startsWith(prefix)) break
    const common = commonPrefixOf(key, prefix, delimiter)
    last = common ?? key
    if (common === undefined) {
      keys.push(key)
      position += 1
    } else {
      commonPrefixes.push(common)
      position = index.afterPrefix(common, position)
    }
  }
  const more = maxKeys > 0 && (index.at(position)?.startsWith(prefix) ?? false)
  return { keys, commonPrefixes, next: more ? last : undefined }
}

function startPosition(index: KeyIndex, prefix: string, delimiter: string, after: string): number {
  const first = index.lowerBound(prefix)
  if (after === '' || compareKeys(after, prefix) < 0) return first
  const common = after.startsWith(prefix) ? commonPrefixOf(after, prefix, delimiter) : undefined
  const position = index.lowerBound(after)
  if (common !== undefined) return index.afterPrefix(common, index.lowerBound(common))
  return index.at(position) === after ? position + 1 : position
}

function commonPrefixOf(key: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === '') return undefined
  const end = key.indexOf(delimiter, prefix.length)
  return end === -1 ? undefined : key.slice(0, end + delimiter.length)
}
