import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { CsvChunk } from './manifest.ts'

/** What a manifest says of a chunk's bytes, so that a reader can compare. */
export type DigestKind = 'crc-32' | 'sha-256' | 'none'

/** The digest of bytes that come in pieces. */
export interface Digest {
  update(bytes: Uint8Array): void
  /** Goes on from here, apart from this one. */
  copy(): Digest
  /** As a chunk carries it. */
  result(): Pick<CsvChunk, 'crc32' | 'sha256'>
}

export function createDigest(kind: DigestKind): Digest {
  if (kind === 'sha-256') return sha256From(createHash('sha256'))
  return kind === 'crc-32' ? crc32From(0) : noDigest
}

/** The kind that a chunk carries. */
export function digestOf({ crc32, sha256 }: Pick<CsvChunk, 'crc32' | 'sha256'>): DigestKind {
  if (sha256 !== undefined) return 'sha-256'
  return crc32 === undefined ? 'none' : 'crc-32'
}

const noDigest: Digest = { update() {}, copy: () => noDigest, result: () => ({}) }

function sha256From(hash: Hash): Digest {
  return {
    update(bytes) {
      hash.update(bytes)
    },
    copy: () => sha256From(hash.copy()),
    result: () => ({ sha256: hash.digest('hex') }),
  }
}

function crc32From(start: number): Digest {
  let value = start
  return {
    update(bytes) {
      value = crc32(bytes, value)
    },
    copy: () => crc32From(value),
    result: () => ({ crc32: value.toString(16).padStart(8, '0') }),
  }
}
