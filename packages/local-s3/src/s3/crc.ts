import type { RunningChecksum } from './running-checksum.ts'

const castagnoli = 0x82f63b78
const nvmePolynomialHigh = 0x9a6c9329
const nvmePolynomialLow = 0xac4bc9b5

const crc32cTable = new Uint32Array(256)
// One table after the other: for a byte, for a byte with one behind it, and so on up to seven.
const nvmeHigh = new Uint32Array(8 * 256)
const nvmeLow = new Uint32Array(8 * 256)
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
for (let index = 256; index < nvmeLow.length; index += 1) {
  const high = nvmeHigh[index - 256] as number
  const low = nvmeLow[index - 256] as number
  nvmeLow[index] = ((low >>> 8) | (high << 24)) ^ (nvmeLow[low & 0xff] as number)
  nvmeHigh[index] = (high >>> 8) ^ (nvmeHigh[low & 0xff] as number)
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

/** CRC-64/NVME, in two halves of 32 bits, eight bytes at a time. */
export function createCrc64Nvme(): RunningChecksum {
  let high = 0xffffffff
  let low = 0xffffffff
  return {
    update(data) {
      const whole = data.length - (data.length % 8)
      let at = 0
      for (; at < whole; at += 8) {
        const first = low ^ data.readInt32LE(at)
        const second = high ^ data.readInt32LE(at + 4)
        const a = 1792 + (first & 0xff)
        const b = 1536 + ((first >>> 8) & 0xff)
        const c = 1280 + ((first >>> 16) & 0xff)
        const d = 1024 + (first >>> 24)
        const e = 768 + (second & 0xff)
        const f = 512 + ((second >>> 8) & 0xff)
        const g = 256 + ((second >>> 16) & 0xff)
        const h = second >>> 24
        low = xorAt(nvmeLow, a, b, c, d) ^ xorAt(nvmeLow, e, f, g, h)
        high = xorAt(nvmeHigh, a, b, c, d) ^ xorAt(nvmeHigh, e, f, g, h)
      }
      for (; at < data.length; at += 1) {
        const index = (low ^ (data[at] as number)) & 0xff
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

function xorAt(table: Uint32Array, a: number, b: number, c: number, d: number): number {
  return (table[a] as number) ^ (table[b] as number) ^ (table[c] as number) ^ (table[d] as number)
}

const nvmePolynomial = (BigInt(nvmePolynomialHigh) << 32n) | BigInt(nvmePolynomialLow)
const one = 1n << 63n

/** The CRC-64/NVME of bytes whose pieces, of which these are checksum and size, follow one another. */
export function combineCrc64Nvme(pieces: readonly { readonly crc: Buffer; readonly size: number }[]): Buffer {
  // Pieces are mostly of the same size.
  const shifts = new Map<number, bigint>()
  let combined = 0n
  for (const { crc, size } of pieces) {
    const shift = shifts.get(size) ?? powerOfX(BigInt(size) * 8n)
    shifts.set(size, shift)
    combined = multiply(shift, combined) ^ crc.readBigUInt64BE()
  }
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(combined)
  return bytes
}

/** x to the power of n, modulo the polynomial. */
function powerOfX(exponent: bigint): bigint {
  let power = one
  let square = one >> 1n
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) power = multiply(square, power)
    square = multiply(square, square)
  }
  return power
}

/** The product of two polynomials modulo the polynomial; the highest bit is the lowest power. */
function multiply(a: bigint, b: bigint): bigint {
  let product = 0n
  let shifted = b
  for (let bit = one; bit > 0n; bit >>= 1n) {
    if (a & bit) product ^= shifted
    shifted = shifted & 1n ? (shifted >> 1n) ^ nvmePolynomial : shifted >> 1n
  }
  return product
}
