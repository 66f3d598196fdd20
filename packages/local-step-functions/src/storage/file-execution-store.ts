import { hash } from 'node:crypto'
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
import type { AppendFiles } from '@stepwright/local-server'
import { openArchive } from './archive.ts'
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

const dayMs = 86_400_000
/** So many times as many as are to be kept may be there before the oldest go: it costs the same for one as for all. */
const tolerance = 1.25

/**
 * A file for each execution that runs, in `running`; when it ends, the file moves to `ended`. An execution that ends at
 * once never has a file of its own: it goes into the archive. An index for each state machine lists those that ended.
 * Only `running` is read at the start.
 */
export function createFileExecutionStore(options: FileExecutionStoreOptions): ExecutionStore {
  const { directory, files, sync, now, onProblem } = options
  const { days = 90, executions: maxExecutions = 10_000 } = options.retention ?? {}
  const running = join(directory, 'running')
  const ended = join(directory, 'ended')
  const definitions = join(directory, 'definitions')
  for (const path of [running, ended, definitions]) mkdirSync(path, { recursive: true, mode: 0o700 })
  const archive = openArchive(join(ended, 'archive'), files)
  /** Those in `ended` that there are. */
  const folders = new Set(readdirSync(ended).map(name => join(ended, name)))
  const counted = new Map<string, { count: number; readonly prunedMs: number }>()
  /** Those with a file in `running`. */
  const onDisk = new Set<string>()

  const runningPath = (arn: string): string => join(running, `${keyOf(arn)}.jsonl`)
  const endedPath = (arn: string): string => {
    const key = keyOf(arn)
    return join(ended, key.slice(0, 2), `${key}.jsonl`)
  }
  const hasEndedFile = (arn: string): boolean => {
    const path = endedPath(arn)
    return folders.has(dirname(path)) && existsSync(path)
  }
  const indexPath = (stateMachineArn: string): string => join(ended, `${keyOf(stateMachineArn)}.index.jsonl`)
  const indexes = new Set<string>()
  const addToIndex = (stateMachineArn: string, entry: object): void => {
    const path = indexPath(stateMachineArn)
    if (!indexes.has(path) && existsSync(path)) dropHalfLine(path)
    indexes.add(path)
    files.append(path, `${JSON.stringify(entry)}\n`)
  }

  /** What cannot be read is put out of the way; what is known of its execution says that it failed. */
  const parseOrSetAside = (text: string, name: string, path?: string): KeptExecution | undefined => {
    try {
      return toKept(parseLines(text))
    } catch (error) {
      const aside = join(directory, 'broken', `${name}.jsonl`)
      mkdirSync(dirname(aside), { recursive: true, mode: 0o700 })
      writeFileSync(aside, text, { mode: 0o600 })
      if (path !== undefined) {
        files.release(path)
        rmSync(path)
      }
      const reason = (error as Error).message
      onProblem(`What was recorded of an execution cannot be read (${reason}): it is now in ${aside}`)
      return bury(text, `What was recorded of the execution cannot be read: ${reason}`)
    }
  }
  const readFile = (path: string): KeptExecution | undefined =>
    parseOrSetAside(readFileSync(path, 'utf8'), basename(path, '.jsonl'), path)
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
    if (onDisk.has(arn)) {
      const from = runningPath(arn)
      const to = endedPath(arn)
      if (lines !== '') files.append(from, lines, { sync })
      files.release(from)
      if (!folders.has(dirname(to))) mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
      folders.add(dirname(to))
      renameSync(from, to)
      onDisk.delete(arn)
      addToIndex(stateMachineArn, execution)
    } else archive.add(keyOf(arn), JSON.stringify(execution), lines)
  }
  const endedOf = (stateMachineArn: string): Map<string, EndedExecution> => {
    const found = new Map<string, EndedExecution>()
    for (const label of archive.labels()) {
      const entry = parseEntry(label)
      if (entry?.stateMachineArn === stateMachineArn) found.set(entry.arn, entry as EndedExecution)
    }
    const path = indexPath(stateMachineArn)
    if (!existsSync(path)) return found
    const lines = readFileSync(path, 'utf8').split('\n')
    lines.pop()
    for (const line of lines) {
      const entry = parseEntry(line)
      if (entry === undefined) continue
      if ('reopened' in entry) found.delete(entry.arn)
      else found.set(entry.arn, entry)
    }
    return found
  }
  /** How many are left. */
  const prune = (stateMachineArn: string): number => {
    const path = indexPath(stateMachineArn)
    const all = [...endedOf(stateMachineArn).values()].sort((a, b) => a.stopMs - b.stopMs)
    const oldestMs = now() - days * dayMs
    const tooMany = all.length > maxExecutions * tolerance ? all.length - maxExecutions : 0
    const isKept = (execution: EndedExecution, index: number): boolean =>
      index >= tooMany && execution.stopMs >= oldestMs
    const kept = all.filter(isKept)
    if (kept.length === all.length) return kept.length
    files.release(path)
    const ownFiles = kept.filter(({ arn }) => hasEndedFile(arn))
    writeFileSync(`${path}.new`, ownFiles.map(entry => `${JSON.stringify(entry)}\n`).join(''), {
      mode: 0o600,
    })
    renameSync(`${path}.new`, path)
    const gone = all.filter((execution, index) => !isKept(execution, index)).map(({ arn }) => arn)
    for (const arn of gone) rmSync(endedPath(arn), { force: true })
    archive.remove(new Set(gone.map(keyOf)))
    return kept.length
  }
  /** At the first end of a state machine since the start, when there are too many, and once a day. */
  const pruneNowAndThen = (stateMachineArn: string): void => {
    const known = counted.get(stateMachineArn)
    if (known !== undefined) known.count += 1
    const isTime =
      known === undefined || known.count > maxExecutions * tolerance || now() - known.prunedMs > dayMs
    if (isTime) counted.set(stateMachineArn, { count: prune(stateMachineArn), prunedMs: now() })
  }
  const textOf = (arn: string): KeptExecution | undefined => {
    if (onDisk.has(arn)) return readFile(runningPath(arn))
    if (hasEndedFile(arn)) return readFile(endedPath(arn))
    const text = archive.read(keyOf(arn))
    return text === undefined ? undefined : parseOrSetAside(text, keyOf(arn))
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
      if (hasEndedFile(arn)) renameSync(endedPath(arn), runningPath(arn))
      else files.append(runningPath(arn), archive.read(keyOf(arn)) ?? '', { sync })
      onDisk.add(arn)
      addToIndex(stateMachineArn, { arn, reopened: true })
    },
    read: textOf,
    has: arn => onDisk.has(arn) || archive.has(keyOf(arn)) || hasEndedFile(arn),
    running: () =>
      readdirSync(running).flatMap(file => {
        const path = join(running, file)
        if (dropHalfLine(path) === 0) {
          rmSync(path)
          return []
        }
        const kept = readFile(path)
        if (kept === undefined || !existsSync(path)) return []
        onDisk.add(kept.header.arn)
        return kept
      }),
    ended: stateMachineArn => [...endedOf(stateMachineArn).values()],
    keepDefinition: (definitionId, text) => {
      const path = join(definitions, `${definitionId}.json`)
      if (existsSync(path)) return
      writeFileSync(`${path}.new`, text, { mode: 0o600 })
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
  return hash('sha256', arn, 'hex').slice(0, 40)
}

function toKept([header, ...records]: readonly unknown[]): KeptExecution {
  if (typeof (header as ExecutionHeader | undefined)?.arn !== 'string') {
    throw new Error('it does not begin with an execution')
  }
  return { header: header as ExecutionHeader, records: records as HistoryRecord[] }
}

function parseEntry(
  line: string,
):
  | EndedExecution
  | { readonly arn: string; readonly stateMachineArn?: undefined; readonly reopened: true }
  | undefined {
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
