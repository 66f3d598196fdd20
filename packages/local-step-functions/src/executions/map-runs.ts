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
import type { MapRunListener, MapRunStatus } from '@stepwright/asl-engine'

/** The Map runs of all executions. Only those that run are in memory. */
export interface MapRuns extends MapRunListener {
  readonly get: (mapRunArn: string) => MapRunStatus | undefined
}

/** So many that ended are remembered without a directory. */
const remembered = 1000

/** So many runs begin between two looks at what is too old. */
const runsBetweenPrunings = 1000
const dayMs = 86_400_000

export interface MapRunsOptions {
  readonly directory: string | undefined
  readonly now: () => number
  /** How long runs are kept. @default 90 */
  readonly days?: number
}

export function createMapRuns({ directory, now, days = 90 }: MapRunsOptions): MapRuns {
  if (directory !== undefined) mkdirSync(directory, { recursive: true })
  const runs = new Map<string, MapRunStatus>()
  const pathOf = (arn: string): string =>
    join(directory ?? '', `${createHash('sha256').update(arn).digest('hex').slice(0, 40)}.json`)
  let started = 0
  const prune = (place: string): void => {
    for (const file of readdirSync(place)) {
      const path = join(place, file)
      if (now() - statSync(path).mtimeMs > days * dayMs) rmSync(path, { force: true })
    }
  }
  const write = (run: MapRunStatus): void => {
    const path = pathOf(run.mapRunArn)
    writeFileSync(`${path}.new`, JSON.stringify(run))
    renameSync(`${path}.new`, path)
  }
  const keep = (run: MapRunStatus): void => {
    runs.delete(run.mapRunArn)
    runs.set(run.mapRunArn, run)
    if (directory !== undefined) {
      write(run)
      if (run.status !== 'RUNNING') runs.delete(run.mapRunArn)
      return
    }
    const [oldest] = runs.keys()
    if (runs.size > remembered && oldest !== undefined) runs.delete(oldest)
  }
  return {
    get: arn => {
      const running = runs.get(arn)
      if (running !== undefined || directory === undefined || !existsSync(pathOf(arn))) return running
      return JSON.parse(readFileSync(pathOf(arn), 'utf8'))
    },
    onStart: run => {
      keep(run)
      started += 1
      if (directory !== undefined && started % runsBetweenPrunings === 0) prune(directory)
    },
    onChange: keep,
  }
}
