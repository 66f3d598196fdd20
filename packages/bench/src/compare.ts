import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { median } from './median.ts'

/** One way to do the work. What it returns must equal what every other contender returns. */
export type Contender = () => unknown

export interface CompareOptions {
  /** @default 7 */
  readonly rounds?: number
  /** Rounds that are run but not counted. @default 1 */
  readonly warmups?: number
  /** Run before every contender, outside the measured time: truncate a table, drop a cache. */
  readonly before?: () => unknown
  /** @default console.log */
  readonly print?: (line: string) => void
}

export interface Timings {
  readonly medianMs: number
  readonly samplesMs: readonly number[]
}

/**
 * Runs the contenders in turn, round after round, so that a noisy machine disturbs all of them alike,
 * prints a table, and returns their times. Throws if two contenders disagree about the result.
 */
export async function compare<Name extends string>(
  title: string,
  contenders: Readonly<Record<Name, Contender>>,
  { rounds = 7, warmups = 1, before, print = console.log }: CompareOptions = {},
): Promise<Record<Name, Timings>> {
  const names = Object.keys(contenders) as Name[]
  const samples = new Map<Name, number[]>(names.map(name => [name, []]))
  for (let round = -warmups; round < rounds; round += 1) {
    const results: unknown[] = []
    for (const name of rotate(names, round + warmups)) {
      await before?.()
      await collectGarbage()
      const start = performance.now()
      const result = await contenders[name]()
      const elapsed = performance.now() - start
      if (round >= 0) samples.get(name)?.push(elapsed)
      results.push(result)
      if (!isDeepStrictEqual(result, results[0])) throw new Error(`${title}: ${name} gave a different result`)
    }
  }
  const timings = Object.fromEntries(
    names.map(name => {
      const samplesMs = samples.get(name) ?? []
      return [name, { medianMs: median(samplesMs), samplesMs }]
    }),
  ) as unknown as Record<Name, Timings>
  printTable(title, names, timings, print)
  return timings
}

/** One for each registry whose finalizers are due, and more than Node's own signals have. */
const finalizerTurns = 8

/**
 * Each pays for its own garbage, and not for what the one before it left behind. Weak references hold what they were
 * asked for until the event loop goes round, and finalizers run in its next rounds: without them an AbortSignal of one
 * contender is cleaned up in the time of another.
 */
async function collectGarbage(): Promise<void> {
  if (globalThis.gc === undefined) return
  await setImmediate()
  globalThis.gc()
  for (let turn = 0; turn < finalizerTurns; turn += 1) await setImmediate()
}

/** No contender is always first: the first of a round pays for cold caches. */
function rotate<T>(values: readonly T[], by: number): T[] {
  const start = by % values.length
  return [...values.slice(start), ...values.slice(0, start)]
}

function printTable<Name extends string>(
  title: string,
  names: readonly Name[],
  timings: Record<Name, Timings>,
  print: (line: string) => void,
): void {
  const best = Math.min(...names.map(name => timings[name].medianMs))
  const width = Math.max(...names.map(name => name.length))
  print(`\n${title}`)
  for (const name of names) {
    const { medianMs, samplesMs } = timings[name]
    const spread = `${format(Math.min(...samplesMs))} – ${format(Math.max(...samplesMs))}`
    print(
      `  ${name.padEnd(width)}  ${format(medianMs).padStart(10)} ms  ${(medianMs / best).toFixed(2).padStart(7)} ×   (${spread})`,
    )
  }
}

function format(ms: number): string {
  return ms >= 100 ? ms.toFixed(0) : ms.toPrecision(3)
}
