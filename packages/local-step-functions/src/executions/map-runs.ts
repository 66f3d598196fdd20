import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { MapRunControl, MapRunLimits, MapRunListener, MapRunStatus } from '@stepwright/asl-engine'
import type { ReportProblem } from '../storage/catalogue.ts'
import { createMapRunChildren, type MapRunChildren } from './map-run-children.ts'

/** A Map run, with what was changed of it while it ran. */
export interface KeptMapRun extends MapRunStatus {
  readonly limits?: MapRunLimits
}

/** The Map runs of all executions. Only those that run are in memory. */
export interface MapRuns extends MapRunListener {
  readonly get: (mapRunArn: string) => KeptMapRun | undefined
  /** How many are under way. */
  readonly open: () => number
  /** Whether the run is still under way, and is so changed. */
  readonly update: (mapRunArn: string, limits: MapRunLimits) => boolean
  readonly children: Pick<MapRunChildren, 'of' | 'find' | 'withText' | 'stop' | 'usageOf'>
  /** From now on nothing is heard: executions are about to be stopped where they are, which ends neither runs nor children. */
  readonly suspend: () => void
}

/** So many that ended are remembered without a directory. */
const remembered = 1000

/** So many runs begin between two looks at what is too old. */
const runsBetweenPrunings = 1000
const dayMs = 86_400_000

export interface MapRunsOptions {
  readonly directory: string | undefined
  readonly now: () => number
  readonly onProblem: ReportProblem
  /** How long runs are kept. @default 90 */
  readonly days?: number
}

export function createMapRuns({ directory, now, onProblem, days = 90 }: MapRunsOptions): MapRuns {
  if (directory !== undefined) mkdirSync(directory, { recursive: true, mode: 0o700 })
  const runs = new Map<string, KeptMapRun>()
  const controls = new Map<string, MapRunControl>()
  const children = createMapRunChildren({
    directory: directory === undefined ? undefined : join(directory, 'children'),
    onProblem,
  })
  const pathOf = (arn: string): string =>
    join(directory ?? '', `${createHash('sha256').update(arn).digest('hex').slice(0, 40)}.json`)
  let started = 0
  let isSuspended = false
  const prune = (place: string): void => {
    for (const entry of readdirSync(place, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile() && now() - statSync(path).mtimeMs > days * dayMs) rmSync(path, { force: true })
    }
  }
  const write = (run: KeptMapRun): void => {
    const path = pathOf(run.mapRunArn)
    try {
      writeFileSync(`${path}.new`, JSON.stringify(run), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    } catch (error) {
      onProblem(`${run.mapRunArn} cannot be kept: ${(error as Error).message}`)
    }
  }
  const get = (arn: string): KeptMapRun | undefined => {
    const running = runs.get(arn)
    if (running !== undefined || directory === undefined || !existsSync(pathOf(arn))) return running
    return JSON.parse(readFileSync(pathOf(arn), 'utf8'))
  }
  const keep = (run: KeptMapRun): void => {
    const isOver = run.status !== 'RUNNING'
    runs.delete(run.mapRunArn)
    runs.set(run.mapRunArn, run)
    if (isOver) {
      controls.delete(run.mapRunArn)
      children.flush(run.mapRunArn)
    }
    if (directory !== undefined) {
      write(run)
      if (isOver) runs.delete(run.mapRunArn)
      return
    }
    const [oldest] = runs.keys()
    if (runs.size > remembered && oldest !== undefined) runs.delete(oldest)
  }
  const keepChanged = (run: MapRunStatus): void => {
    if (isSuspended) return
    const { limits } = get(run.mapRunArn) ?? {}
    keep(limits === undefined ? run : { ...run, limits })
  }
  return {
    get,
    open: () => controls.size,
    children,
    onStart: (run, control) => {
      const { limits } = get(run.mapRunArn) ?? {}
      controls.set(run.mapRunArn, control)
      keepChanged(run)
      if (limits !== undefined) control.update(limits)
      started += 1
      if (directory !== undefined && started % runsBetweenPrunings === 0) prune(directory)
    },
    onChange: keepChanged,
    onChild: (child, control) => {
      const { onEvent, onEnd } = children.onChild(child, control)
      return { onEvent, onEnd: end => void (isSuspended || onEnd(end)) }
    },
    suspend: () => {
      isSuspended = true
      for (const run of runs.values()) {
        children.flush(run.mapRunArn)
        if (directory !== undefined) write(run)
      }
    },
    update: (mapRunArn, limits) => {
      const run = get(mapRunArn)
      const control = controls.get(mapRunArn)
      if (run === undefined || control === undefined) return false
      keep({ ...run, limits: { ...run.limits, ...limits } })
      control.update(limits)
      return true
    },
  }
}
