/** What a report of an attempt counts as: a whole number up to 99, which only an end exceeds. What is no number is 0. */
export function toProgress(reported: number): number {
  return reported > 0 ? Math.min(Math.floor(reported), 99) : 0
}
