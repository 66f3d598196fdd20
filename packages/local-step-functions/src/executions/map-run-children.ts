import {
  addUsage,
  type BilledUsage,
  type ChildControl,
  type ChildEnd,
  type ChildListener,
  type HistoryRecord,
  type MapRunChild,
  noUsage,
} from '@stepwright/asl-engine'
import type { ReportProblem } from '../storage/catalogue.ts'
import { createFileRunLines, createMemoryRunLines } from '../storage/run-lines.ts'
import { childUsage } from './child-usage.ts'

/** A child execution of a Map run, as lists show it. */
export interface ListedChild extends Omit<MapRunChild, 'input' | 'roleArn'> {
  readonly status: ChildEnd['status'] | 'RUNNING'
  readonly stopMs: number | undefined
}

export interface KeptChild extends ListedChild {
  readonly roleArn: string
  readonly input: unknown
  readonly output?: unknown
  readonly error?: string | undefined
  readonly cause?: string | undefined
  readonly records: readonly HistoryRecord[]
}

/** The child executions of Map runs, as the API shows them. Their parent's journal is what they are resumed from. */
export interface MapRunChildren {
  readonly onChild: (child: MapRunChild, control: ChildControl) => ChildListener
  readonly of: (mapRunArn: string) => readonly ListedChild[]
  readonly find: (executionArn: string) => KeptChild | undefined
  /** Those that have ended and have one of the texts in what is kept of them, so many at most. */
  readonly withText: (mapRunArn: string, texts: readonly string[], max: number) => readonly ListedChild[]
  /** Aborts a child that runs; its run goes on. */
  readonly stop: (executionArn: string, reason: { error?: string; cause?: string }) => void
  /** What the children that have ended used, those of Maps inside them too. */
  readonly usageOf: (mapRunArn: string) => BilledUsage
  /** Writes out what is known of a run, because it has ended. */
  readonly flush: (mapRunArn: string) => void
}

interface LiveChild {
  readonly child: MapRunChild
  readonly control: ChildControl
  readonly records: HistoryRecord[]
}

/** Of a child with more than that, events are kept without their data. */
const maxCharacters = 262_144

function withoutData({ details, ...record }: HistoryRecord): HistoryRecord {
  const { input: _input, output: _output, parameters: _parameters, ...shown } = details ?? {}
  return { ...record, details: shown }
}

/** Of so many runs what they used is remembered; of others it is counted again. */
const maxCounted = 1000

/** What a line says besides what lists show. */
interface CountedChild extends ListedChild {
  readonly usage?: BilledUsage
  /** The runs of Maps inside the child. */
  readonly innerRuns?: readonly string[]
}

interface CountedRun {
  usage: BilledUsage
  readonly innerRuns: Set<string>
}

function innerRunsOf(records: readonly HistoryRecord[]): readonly string[] {
  return records.flatMap(({ type, details }) =>
    type === 'MapRunStarted' ? [String(details?.['mapRunArn'])] : [],
  )
}

/** What is in a list comes first on a line, so that a list need not read the rest. */
const separator = '\t'

export interface MapRunChildrenOptions {
  readonly directory: string | undefined
  readonly onProblem: ReportProblem
}

export function createMapRunChildren({ directory, onProblem }: MapRunChildrenOptions): MapRunChildren {
  const store = directory === undefined ? createMemoryRunLines() : createFileRunLines(directory, onProblem)
  const live = new Map<string, LiveChild>()

  /** Those that had ended before their run was interrupted, which tells of them again. */
  const known = new Map<string, ReadonlySet<string>>()
  const isKnown = ({ mapRunArn, executionArn }: MapRunChild): boolean => {
    const before = known.get(mapRunArn) ?? new Set(endedOf(mapRunArn).keys())
    known.set(mapRunArn, before)
    return before.has(executionArn)
  }
  /** Those of the run that was listed last: whoever goes through a hundred thousand asks for page after page. */
  let listedLast: { readonly mapRunArn: string; readonly children: Map<string, ListedChild> } | undefined
  const endedOf = (mapRunArn: string): Map<string, ListedChild> => {
    if (listedLast?.mapRunArn === mapRunArn) return listedLast.children
    const found = new Map<string, ListedChild>()
    for (const line of store.linesOf(mapRunArn)) {
      const listed = parseListed(line)
      if (listed !== undefined) found.set(listed.executionArn, listed)
    }
    listedLast = { mapRunArn, children: found }
    return found
  }

  const counted = new Map<string, CountedRun>()
  const countedOf = (mapRunArn: string): CountedRun => {
    const before = counted.get(mapRunArn)
    if (before !== undefined) return before
    const run: CountedRun = { usage: noUsage, innerRuns: new Set() }
    for (const line of store.linesOf(mapRunArn)) count(run, parseListed(line))
    counted.set(mapRunArn, run)
    const [oldest] = counted.keys()
    if (counted.size > maxCounted && oldest !== undefined) counted.delete(oldest)
    return run
  }
  const count = (run: CountedRun, { usage = noUsage, innerRuns = [] }: Partial<CountedChild> = {}): void => {
    run.usage = addUsage(run.usage, usage)
    for (const inner of innerRuns) run.innerRuns.add(inner)
  }
  const wholeUsage = (mapRunArn: string): BilledUsage => {
    const { usage, innerRuns } = countedOf(mapRunArn)
    return [...innerRuns].map(wholeUsage).reduce(addUsage, usage)
  }

  const end = ({ child, records }: LiveChild, { status, stopMs, output, error, cause }: ChildEnd): void => {
    live.delete(child.executionArn)
    if (records.length === 0 && isKnown(child)) return
    const { input, roleArn, ...listed } = child
    const rest = { input, roleArn, output, error, cause, records }
    const whole = JSON.stringify(rest)
    const text =
      whole.length > maxCharacters ? JSON.stringify({ ...rest, records: records.map(withoutData) }) : whole
    const innerRuns = innerRunsOf(records)
    const usage = childUsage(child, { stopMs }, records)
    const line = { ...listed, status, stopMs, usage, ...(innerRuns.length > 0 && { innerRuns }) }
    count(countedOf(child.mapRunArn), line)
    if (listedLast?.mapRunArn === child.mapRunArn) listedLast.children.set(child.executionArn, line)
    store.add(child.mapRunArn, `${JSON.stringify(line)}${separator}${text}\n`)
  }
  return {
    onChild: (child, control) => {
      const one: LiveChild = { child, control, records: [] }
      live.set(child.executionArn, one)
      return { onEvent: record => one.records.push(record), onEnd: ending => end(one, ending) }
    },
    of: mapRunArn => {
      const found = new Map(endedOf(mapRunArn))
      for (const one of live.values())
        if (one.child.mapRunArn === mapRunArn) found.set(one.child.executionArn, toRunning(one))
      return [...found.values()]
    },
    find: executionArn => {
      const one = live.get(executionArn)
      if (one !== undefined) return { ...one.child, ...toRunning(one), records: one.records }
      let found: string | undefined
      for (const line of store.linesLike(executionArn)) if (line.includes(executionArn)) found = line
      const listed = found === undefined ? undefined : parseListed(found)
      if (found === undefined || listed === undefined) return undefined
      return { ...listed, ...JSON.parse(found.slice(found.indexOf(separator))) }
    },
    withText: (mapRunArn, texts, max) => {
      const found = new Map<string, ListedChild>()
      for (const line of store.linesOf(mapRunArn)) {
        if (found.size >= max) break
        const listed = texts.some(text => line.includes(text)) ? parseListed(line) : undefined
        if (listed !== undefined) found.set(listed.executionArn, listed)
      }
      return [...found.values()]
    },
    stop: (executionArn, reason) => live.get(executionArn)?.control.stop(reason),
    usageOf: wholeUsage,
    flush: mapRunArn => {
      known.delete(mapRunArn)
      store.flush(mapRunArn)
    },
  }
}

/** `undefined` for half a line, which a process leaves that ends while it writes. */
function parseListed(line: string): CountedChild | undefined {
  try {
    return JSON.parse(line.slice(0, line.indexOf(separator)))
  } catch {
    return undefined
  }
}

function toRunning({ child: { input: _input, roleArn: _roleArn, ...listed } }: LiveChild): ListedChild {
  return { ...listed, status: 'RUNNING', stopMs: undefined }
}
