/** CloudWatch takes no others. */
const retentionDays: readonly number[] = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
]

/** @throws TypeError that names the days next to them */
export function assertRetention(days: number): void {
  if (retentionDays.includes(days)) return
  const next = retentionDays.find(each => each > days) ?? retentionDays.at(-1)
  throw new TypeError(
    `logRetentionDays must be one of ${retentionDays.join(', ')}, not ${days}; take ${next}`,
  )
}
