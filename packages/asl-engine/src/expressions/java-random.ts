const mask = (1n << 48n) - 1n
const multiplier = 0x5deece66dn

/** The first `nextDouble()` of `java.util.Random(seed)`. */
export function javaRandom(seed: number): number {
  let state = (BigInt(Math.trunc(seed)) ^ multiplier) & mask
  const next = (bits: bigint): bigint => {
    state = (state * multiplier + 11n) & mask
    return state >> (48n - bits)
  }
  const high = next(26n)
  return Number((high << 27n) + next(27n)) / 2 ** 53
}
