export type Random = () => number

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T
}

export function chance(random: Random, of: number): boolean {
  return random() < of
}
