import { S3Error } from './s3-error.ts'

/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The range that a `Range` header asks for. What is not one well-formed range is no range at all, as for S3;
 * one that lies wholly outside is refused.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start > end) {
    throw new S3Error(
      'InvalidRange',
      undefined,
      { RangeRequested: header ?? '', ActualObjectSize: String(size) },
      { 'content-range': `bytes */${size}` },
    )
  }
  return { start, end }
}
