import { ValidationError } from '@stepwright/errors'
import type { ByteRange } from './object-store.ts'

/** The range as HTTP's header says it; undefined for a range that is empty and needs no request. */
export function toRangeHeader(range: ByteRange): string | undefined {
  if ('last' in range) {
    refuseNegative('last', range.last)
    return range.last === 0 ? undefined : `bytes=-${range.last}`
  }
  refuseNegative('offset', range.offset)
  if (range.length === undefined) return `bytes=${range.offset}-`
  refuseNegative('length', range.length)
  return range.length === 0 ? undefined : `bytes=${range.offset}-${range.offset + range.length - 1}`
}

/** The bytes of the range in an object of this size. */
export function resolveRange(range: ByteRange, size: number, key: string): [start: number, end: number] {
  toRangeHeader(range)
  if ('last' in range) {
    if (range.last > 0 && size === 0) throw outsideObject(key)
    return [Math.max(0, size - range.last), size]
  }
  if (range.length !== 0 && range.offset >= size) throw outsideObject(key)
  const end = range.length === undefined ? size : Math.min(size, range.offset + range.length)
  return [Math.min(range.offset, size), end]
}

export function outsideObject(key: string, cause?: unknown): ValidationError {
  return new ValidationError(`the range lies outside the object ${key}`, {
    code: 'RANGE_NOT_SATISFIABLE',
    details: { key },
    cause,
  })
}

function refuseNegative(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`a range's ${name} must be a whole number of bytes from 0 on`)
  }
}
