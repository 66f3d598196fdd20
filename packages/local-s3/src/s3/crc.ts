import type { RunningChecksum } from './running-checksum.ts'

const castagnoli = 0x82f63b78
const nvmePolynomialHigh = 0x9a6c9329
const nvmePolynomialLow = 0xac4bc9b5

const crc32cTable = new Uint32Array(256)
const nvmeHigh = new Uint32Array(256)
const nvmeLow = new Uint32Array(256)
for (let byte = 0; byte < 256; byte += 1) {
  let small = byte
  let high = 0
  let low = byte
  for (let bit = 0; bit < 8; bit += 1) {
    small = (small >>> 1) ^ (small & 1 ? castagnoli : 0)
    const odd = low & 1
    low = (low >>> 1) | (high << 31)
    high >>>= 1
    if (odd) {
      high ^= nvmePolynomialHigh
      low ^= nvmePolynomialLow
    }
  }
  crc32cTable[byte] = small
  nvmeHigh[byte] = high
  nvmeLow[byte] = low
}

/** CRC-32C (Castagnoli). */
export function createCrc32c(): RunningChecksum {
  let value = 0xffffffff
  return {
    update(data) {
      for (const byte of data) value = (value >>> 8) ^ (crc32cTable[(value ^ byte) & 0xff] as number)
    },
    digest() {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(~value >>> 0)
      return bytes
    },
  }
}

/** CRC-64/NVME, in two halves of 32 bits. */
export function createCrc64Nvme(): RunningChecksum {
  let high = 0xffffffff
  let low = 0xffffffff
  return {
    update(data) {
      for (const byte of data) {
        const index = (low ^ byte) & 0xff
        low = ((low >>> 8) | (high << 24)) ^ (nvmeLow[index] as number)
        high = (high >>> 8) ^ (nvmeHigh[index] as number)
      }
    },
    digest() {
      const bytes = Buffer.alloc(8)
      bytes.writeUInt32BE(~high >>> 0, 0)
      bytes.writeUInt32BE(~low >>> 0, 4)
      return bytes
    },
  }
}
