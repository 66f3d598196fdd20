import type { Visit } from '@stepwright/asl-graph'

/** Where a time is, from 0 to 1. */
export interface TimeScale {
  at(ms: number): number
  /** Stretches in which nothing was at work, drawn narrow. */
  readonly folds: readonly { readonly fromMs: number; readonly toMs: number }[]
  readonly startMs: number
  readonly endMs: number
}

const minFoldShare = 0.04
const foldedShare = 0.015

/** Time as it went, or with idle stretches folded: waits between retries and in Wait states. */
export function createTimeScale(
  visits: readonly Visit[],
  startMs: number,
  endMs: number,
  isFolded: boolean,
): TimeScale {
  const whole = Math.max(1, endMs - startMs)
  const folds = isFolded
    ? idle(visits, startMs, endMs).filter(({ fromMs, toMs }) => (toMs - fromMs) / whole > minFoldShare)
    : []
  const narrow = whole * foldedShare
  const length = whole - folds.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) - narrow, 0)
  return {
    folds,
    startMs,
    endMs,
    at(ms) {
      let position = ms - startMs
      for (const { fromMs, toMs } of folds) {
        if (ms >= toMs) position -= toMs - fromMs - narrow
        else if (ms > fromMs) position -= (ms - fromMs) * (1 - narrow / (toMs - fromMs))
      }
      return position / length
    },
  }
}

function idle(visits: readonly Visit[], startMs: number, endMs: number): { fromMs: number; toMs: number }[] {
  const busy = visits
    .flatMap(({ type, attempts, enterMs, exitMs = endMs, items, mapRunArn }): [number, number][] => {
      if (mapRunArn !== undefined) return [[enterMs, exitMs]]
      if (type === 'Wait' || type === 'Parallel' || (type === 'Map' && items)) return []
      if (attempts.length === 0) return [[enterMs, exitMs]]
      return attempts.map(attempt => [attempt.scheduledMs, attempt.endMs ?? endMs])
    })
    .sort(([a], [b]) => a - b)
  const gaps: { fromMs: number; toMs: number }[] = []
  let reached = startMs
  for (const [from, to] of busy) {
    if (from > reached) gaps.push({ fromMs: reached, toMs: from })
    reached = Math.max(reached, to)
  }
  if (endMs > reached) gaps.push({ fromMs: reached, toMs: endMs })
  return gaps
}
