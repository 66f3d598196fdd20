/** @throws TypeError for what is not a duration */
export function toMs(name: string, seconds: number): number {
  if (seconds > 0 && seconds < Number.POSITIVE_INFINITY) return seconds * 1000
  throw new TypeError(`${name} must be a number above 0, not ${seconds}`)
}
