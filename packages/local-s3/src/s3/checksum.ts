import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { createCrc32c, createCrc64Nvme } from './crc.ts'
import type { RunningChecksum } from './running-checksum.ts'

export type ChecksumAlgorithm = 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256'

/** Of a whole object, or of the checksums of its parts (then with their number: `value-3`). */
export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE'

export interface Checksum {
  readonly algorithm: ChecksumAlgorithm
  /** Base64. */
  readonly value: string
  readonly type: ChecksumType
}

export const checksumAlgorithms: readonly ChecksumAlgorithm[] = [
  'CRC32',
  'CRC32C',
  'CRC64NVME',
  'SHA1',
  'SHA256',
]

/** What S3 computes of an object for which no checksum was sent or asked for. */
export const defaultChecksumAlgorithm: ChecksumAlgorithm = 'CRC64NVME'

const digestBytes = { CRC32: 4, CRC32C: 4, CRC64NVME: 8, SHA1: 20, SHA256: 32 }

export function createChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  switch (algorithm) {
    case 'CRC32':
      return createCrc32()
    case 'CRC32C':
      return createCrc32c()
    case 'CRC64NVME':
      return createCrc64Nvme()
    case 'SHA1':
    case 'SHA256':
      return createHash(algorithm)
  }
}

/** The header, or in lower-case XML, that carries a checksum of this algorithm. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`
}

/** The XML element that carries a checksum of this algorithm. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm}`
}

export function parseChecksumAlgorithm(text: string | undefined): ChecksumAlgorithm | undefined {
  return checksumAlgorithms.find(algorithm => algorithm === text?.toUpperCase())
}

export function isChecksumValue(algorithm: ChecksumAlgorithm, value: string): boolean {
  const bytes = Buffer.from(value, 'base64')
  return bytes.length === digestBytes[algorithm] && bytes.toString('base64') === value
}

/** The checksum of the checksums of parts. */
export function compositeChecksum(algorithm: ChecksumAlgorithm, values: readonly string[]): Checksum {
  const running = createChecksum(algorithm)
  for (const value of values) running.update(Buffer.from(value, 'base64'))
  return { algorithm, value: `${running.digest().toString('base64')}-${values.length}`, type: 'COMPOSITE' }
}

function createCrc32(): RunningChecksum {
  let value = 0
  return {
    update(data) {
      value = crc32(data, value)
    },
    digest() {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      return bytes
    },
  }
}
