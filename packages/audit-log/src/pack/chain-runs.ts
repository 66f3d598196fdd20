import { blockProblem } from '../audit-problem.ts'
import type { ChainHead } from '../records.ts'
import type { PackHead } from './pack-record.ts'

/** Blocks of a chain that follow each other. */
export interface ChainRun {
  /** The number of the first. */
  readonly from: number
  /** The number after the last. */
  readonly end: number
  /** How many entries the chain has before the first. */
  readonly first: number
  /** How many it has up to the last. */
  readonly entries: number
  /** The MAC that the first one names as the one before. */
  readonly previous: string
  /** The MAC of the last. */
  readonly head: string
}

/**
 * What is known of chains whose blocks come in any order. Blocks that follow each other take the room of one: where
 * writers go through their items in order, that is all there is.
 */
export interface ChainRuns {
  /** @throws AuditVerificationError if it does not follow from what comes before it, or what follows not from it */
  add(block: PackHead): void
  /**
   * What each chain has come to.
   * @throws AuditVerificationError at the first that has a gap
   */
  heads(): ChainHead[]
  /** To go on with elsewhere. */
  toJSON(): Record<string, readonly ChainRun[]>
}

export function createChainRuns(known: Readonly<Record<string, readonly ChainRun[]>> = {}): ChainRuns {
  const chains = new Map(Object.entries(known).map(([writer, runs]) => [writer, toEnds(runs)]))

  return {
    add({ writer, number, first, count, previous, mac }) {
      const ends = chains.get(writer) ?? toEnds([])
      chains.set(writer, ends)
      let run: ChainRun = {
        from: number,
        end: number + 1,
        first,
        entries: first + count,
        previous,
        head: mac,
      }
      const before = ends.byEnd.get(number)
      const after = ends.byStart.get(run.end)
      if (ends.byStart.has(number) || ends.byEnd.has(run.end)) throw doubled(writer, first)
      if (number === 0 && (previous !== '' || first !== 0)) throw unlinked(writer, 0)
      if (before) run = join(writer, before, run)
      if (after) run = join(writer, run, after)
      if (before) ends.remove(before)
      if (after) ends.remove(after)
      ends.put(run)
    },
    heads: () => [...chains].map(([writer, { byStart }]) => toChainHead(writer, [...byStart.values()])),
    toJSON: () =>
      Object.fromEntries([...chains].map(([writer, { byStart }]) => [writer, [...byStart.values()]])),
  }
}

interface RunEnds {
  readonly byStart: Map<number, ChainRun>
  readonly byEnd: Map<number, ChainRun>
  put(run: ChainRun): void
  remove(run: ChainRun): void
}

function toEnds(runs: readonly ChainRun[]): RunEnds {
  const byStart = new Map<number, ChainRun>()
  const byEnd = new Map<number, ChainRun>()
  const ends: RunEnds = {
    byStart,
    byEnd,
    put(run) {
      byStart.set(run.from, run)
      byEnd.set(run.end, run)
    },
    remove(run) {
      byStart.delete(run.from)
      byEnd.delete(run.end)
    },
  }
  for (const run of runs) ends.put(run)
  return ends
}

function toChainHead(writer: string, runs: readonly ChainRun[]): ChainHead {
  const [run, next] = runs.toSorted((a, b) => a.from - b.from)
  if (run === undefined || run.from > 0) throw gap(writer, 0)
  if (next) throw next.from < run.end ? doubled(writer, next.first) : gap(writer, run.entries)
  return { writer, blocks: run.end, entries: run.entries, head: run.head }
}

function join(writer: string, one: ChainRun, next: ChainRun): ChainRun {
  if (next.previous !== one.head || next.first !== one.entries) throw unlinked(writer, one.entries)
  const { from, first, previous } = one
  return { from, end: next.end, first, entries: next.entries, previous, head: next.head }
}

function unlinked(writer: string, sequence: number): Error {
  return blockProblem('changed', { writer, sequence }, 'does not follow from what comes before')
}

function gap(writer: string, sequence: number): Error {
  return blockProblem('missing', { writer, sequence }, 'has a gap')
}

function doubled(writer: string, sequence: number): Error {
  return blockProblem('changed', { writer, sequence }, 'has two blocks of one number')
}
