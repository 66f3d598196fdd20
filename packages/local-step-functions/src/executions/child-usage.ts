import {
  type BilledUsage,
  countTransitions,
  expressUsage,
  type HistoryRecord,
  noUsage,
} from '@stepwright/asl-engine'

/** What one child of a Map run, or one more try of it, adds to the bill. */
export function childUsage(
  { executionArn, startMs }: { readonly executionArn: string; readonly startMs: number },
  { stopMs }: { readonly stopMs: number },
  records: readonly HistoryRecord[],
): BilledUsage {
  if (executionArn.split(':')[5] === 'express') return expressUsage(stopMs - startMs)
  const own = records.filter(({ id, type }) => id > 0 && !type.startsWith('Execution'))
  return { ...noUsage, transitions: countTransitions(own) + 1 }
}
