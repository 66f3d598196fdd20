/** @throws TypeError for what is no duration */
export function toMs(name: string, seconds: number): number {
  if (seconds > 0 && seconds < Number.POSITIVE_INFINITY) return seconds * 1000
  throw new TypeError(`${name} ${seconds} is not a number above 0`)
}
