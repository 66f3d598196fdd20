import type { RowOutcome } from './row-outcomes.ts'

export interface ErrorGroup {
  readonly count: number
  /** The first ones. */
  readonly samples: { readonly itemIndex: number; readonly reason: string }[]
}

export interface ErrorTally {
  readonly successCount: number
  readonly errorCount: number
  /** By the name of the error. */
  readonly errors: Readonly<Record<string, ErrorGroup>>
}

const shownSamples = 5
const shownCharacters = 300

/** Counts outcomes as they pass. */
export function createErrorTally(): { add(outcome: RowOutcome): void; result(): ErrorTally } {
  const groups = new Map<string, { count: number; samples: { itemIndex: number; reason: string }[] }>()
  let successCount = 0
  let errorCount = 0
  return {
    add({ itemIndex, error }) {
      if (error === undefined) {
        successCount += 1
        return
      }
      errorCount += 1
      const group = groups.get(error.Error) ?? { count: 0, samples: [] }
      groups.set(error.Error, group)
      group.count += 1
      if (group.samples.length < shownSamples) {
        group.samples.push({ itemIndex, reason: error.Cause.slice(0, shownCharacters) })
      }
    },
    result: () => ({ successCount, errorCount, errors: Object.fromEntries(groups) }),
  }
}
