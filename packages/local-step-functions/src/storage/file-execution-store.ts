import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { HistoryRecord } from '@stepwright/asl-engine'
import type { AppendFiles } from './append-file.ts'
import type { ReportProblem } from './catalogue.ts'
import type {
  EndedExecution,
  ExecutionHeader,
  ExecutionStore,
  KeptExecution,
  Retention,
} from './execution-store.ts'
import { parseLines } from './lines.ts'

export interface FileExecutionStoreOptions {
  readonly directory: string
  readonly files: AppendFiles
  /** Whether every write waits for the disk. */
  readonly sync: boolean
  readonly now: () => number
  readonly onProblem: ReportProblem
  readonly retention?: Retention
}

/** So many executions of a state machine end between two looks at what is too old. */
const endsBetweenPrunings = 1000
const dayMs = 86_400_000

/**
 * A file for each execution: in `running` until it ends, then in `ended`, where an index for each state machine lists
 * them. Only `running` is read at the start.
 */
export function createFileExecutionStore(options: FileExecutionStoreOptions): ExecutionStore {
  const { directory, files, sync, now, onProblem } = options
  const { days = 90, executions: maxExecutions = 10_000 } = options.retention ?? {}
  const running = join(directory, 'running')
  const ended = join(directory, 'ended')
  const definitions = join(directory, 'definitions')
  for (const path of [running, ended, definitions]) mkdirSync(path, { recursive: true })
  const endsSince = new Map<string, number>()
  const folders = new Set<string>()
  /** Those with a file in `running`. */
  const onDisk = new Set<string>()

  const runningPath = (arn: string): string => join(running, `${keyOf(arn)}.jsonl`)
  const endedPath = (arn: string): string => {
    const key = keyOf(arn)
    const folder = join(ended, key.slice(0, 2))
    if (!folders.has(folder)) {
      mkdirSync(folder, { recursive: true })
      folders.add(folder)
    }
    return join(folder, `${key}.jsonl`)
  }
  const indexPath = (stateMachineArn: string): string => join(ended, `${keyOf(stateMachineArn)}.index.jsonl`)
  const indexes = new Set<string>()
  const addToIndex = (stateMachineArn: string, entry: object): void => {
    const path = indexPath(stateMachineArn)
    if (!indexes.has(path) && existsSync(path)) dropHalfLine(path)
    indexes.add(path)
    files.append(path, `${JSON.stringify(entry)}\n`)
  }

  /** A file that cannot be read is moved out of the way; what is known of its execution says that it failed. */
  const readOrSetAside = (path: string): KeptExecution | undefined => {
    const text = readFileSync(path, 'utf8')
    try {
      return toKept(parseLines(text))
    } catch (error) {
      const aside = join(directory, 'broken', basename(path))
      mkdirSync(dirname(aside), { recursive: true })
      files.release(path)
      renameSync(path, aside)
      const reason = (error as Error).message
      onProblem(`${path} cannot be read (${reason}): it is now ${aside}`)
      return bury(text, `What was recorded of the execution cannot be read: ${reason}`)
    }
  }
  const bury = (text: string, cause: string): KeptExecution | undefined => {
    let header: ExecutionHeader
    try {
      header = JSON.parse(text.slice(0, text.indexOf('\n')))
    } catch {
      return undefined
    }
    const record: HistoryRecord = {
      id: 1,
      previousEventId: 0,
      timestampMs: now(),
      type: 'ExecutionFailed',
      details: { error: 'States.Runtime', cause },
    }
    const { arn, name, stateMachineArn, startMs } = header
    const listed = { arn, name, stateMachineArn, startMs, status: 'FAILED', stopMs: now(), redriveCount: 0 }
    writeEnd(listed, `${JSON.stringify(header)}\n${JSON.stringify(record)}\n`)
    return { header, records: [record] }
  }
  const writeEnd = (execution: EndedExecution, lines: string): void => {
    const { arn, stateMachineArn } = execution
    const from = runningPath(arn)
    const to = endedPath(arn)
    // Listed before it is moved: one that is listed twice is listed once, one that is not listed is lost.
    addToIndex(stateMachineArn, execution)
    if (onDisk.delete(arn)) {
      if (lines !== '') files.append(from, lines, { sync })
      files.release(from)
      renameSync(from, to)
    } else {
      files.append(to, lines, { sync })
      files.release(to)
    }
  }
  const readIndex = (path: string): Map<string, EndedExecution> => {
    const found = new Map<string, EndedExecution>()
    if (!existsSync(path)) return found
    const lines = readFileSync(path, 'utf8').split('\n')
    lines.pop()
    for (const line of lines) {
      const entry = parseEntry(line)
      if (entry === undefined) continue
      // The later line counts, and its place.
      found.delete(entry.arn)
      if (!('reopened' in entry)) found.set(entry.arn, entry)
    }
    return found
  }
  const prune = (stateMachineArn: string): void => {
    const path = indexPath(stateMachineArn)
    const all = [...readIndex(path).values()].sort((a, b) => a.stopMs - b.stopMs)
    const oldestMs = now() - days * dayMs
    const tooMany = all.length - maxExecutions
    const kept = all.filter((execution, index) => index >= tooMany && execution.stopMs >= oldestMs)
    if (kept.length === all.length) return
    const keptArns = new Set(kept.map(({ arn }) => arn))
    files.release(path)
    writeFileSync(`${path}.new`, kept.map(entry => `${JSON.stringify(entry)}\n`).join(''))
    renameSync(`${path}.new`, path)
    for (const { arn } of all) if (!keptArns.has(arn)) rmSync(endedPath(arn), { force: true })
  }
  const pruneNowAndThen = (stateMachineArn: string): void => {
    const ends = endsSince.get(stateMachineArn) ?? 0
    endsSince.set(stateMachineArn, ends + 1)
    if (ends % Math.min(endsBetweenPrunings, maxExecutions) === 0) prune(stateMachineArn)
  }
  return {
    append: (arn, lines) => {
      files.append(runningPath(arn), lines, { sync })
      onDisk.add(arn)
    },
    end: (execution, lines) => {
      writeEnd(execution, lines)
      pruneNowAndThen(execution.stateMachineArn)
    },
    reopen: ({ arn, stateMachineArn }) => {
      renameSync(endedPath(arn), runningPath(arn))
      onDisk.add(arn)
      addToIndex(stateMachineArn, { arn, reopened: true })
    },
    read: arn => {
      const path = onDisk.has(arn) ? runningPath(arn) : endedPath(arn)
      return existsSync(path) ? readOrSetAside(path) : undefined
    },
    has: arn => onDisk.has(arn) || existsSync(endedPath(arn)),
    running: () =>
      readdirSync(running).flatMap(file => {
        const path = join(running, file)
        if (dropHalfLine(path) === 0) {
          rmSync(path)
          return []
        }
        const kept = readOrSetAside(path)
        if (kept !== undefined && existsSync(path)) onDisk.add(kept.header.arn)
        return kept ?? []
      }),
    ended: stateMachineArn => [...readIndex(indexPath(stateMachineArn)).values()],
    keepDefinition: (definitionId, text) => {
      const path = join(definitions, `${definitionId}.json`)
      if (existsSync(path)) return
      writeFileSync(`${path}.new`, text)
      renameSync(`${path}.new`, path)
    },
    definition: definitionId => {
      const path = join(definitions, `${definitionId}.json`)
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined
    },
    close: files.releaseAll,
  }
}

/** ARNs hold characters that file names cannot. */
function keyOf(arn: string): string {
  return createHash('sha256').update(arn).digest('hex').slice(0, 40)
}

function toKept([header, ...records]: readonly unknown[]): KeptExecution {
  if (typeof (header as ExecutionHeader | undefined)?.arn !== 'string') {
    throw new Error('it does not begin with an execution')
  }
  return { header: header as ExecutionHeader, records: records as HistoryRecord[] }
}

function parseEntry(
  line: string,
): EndedExecution | { readonly arn: string; readonly reopened: true } | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** A process that ended while it wrote leaves half a line: the next must not join it. How many bytes are left. */
function dropHalfLine(path: string): number {
  const content = readFileSync(path)
  const end = content.lastIndexOf('\n') + 1
  if (end < content.length) truncateSync(path, end)
  return end
}
