import { createHash } from 'node:crypto'
import { toEntryJson } from './entry-json.ts'

/** Stands for a value that was too large to keep. */
export interface CutMarker {
  readonly $cut: {
    /** What the value's JSON took in UTF-8. */
    readonly bytes: number
    /** Of the value's JSON, to recognise it elsewhere. */
    readonly sha256: string
    /** How the JSON began. */
    readonly start: string
  }
}

const startLength = 1000

export function isCut(value: unknown): value is CutMarker {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === '$cut'
}

/** The JSON of an object of at most `maxBytes`; where it is larger, its largest fields become markers. */
export function toJsonWithin(fields: Readonly<Record<string, unknown>>, maxBytes: number): string {
  const whole = toEntryJson(fields) as string
  // At most three bytes a character: most entries need no counting.
  if (whole.length * 3 <= maxBytes || Buffer.byteLength(whole) <= maxBytes) return whole
  const sized = Object.entries(fields)
    .map(([name, value]) => ({ name, json: toEntryJson(value) ?? '' }))
    .sort((a, b) => Buffer.byteLength(b.json) - Buffer.byteLength(a.json))
  let kept = fields
  for (const { name, json } of sized) {
    kept = { ...kept, [name]: toMarker(json) }
    const text = toEntryJson(kept) as string
    if (Buffer.byteLength(text) <= maxBytes) return text
  }
  throw new RangeError(`${sized.length} markers do not fit into ${maxBytes} bytes`)
}

function toMarker(json: string): CutMarker {
  return {
    $cut: {
      bytes: Buffer.byteLength(json),
      sha256: createHash('sha256').update(json).digest('hex'),
      start: json.slice(0, startLength).replace(/[\ud800-\udbff]$/, ''),
    },
  }
}
