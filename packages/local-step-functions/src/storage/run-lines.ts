import { createHash } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import type { ReportProblem } from './catalogue.ts'

/** Where lines are kept, by run; those of a run in the order in which they came. */
export interface RunLines {
  readonly add: (mapRunArn: string, line: string) => void
  readonly flush: (mapRunArn: string) => void
  readonly linesOf: (mapRunArn: string) => Iterable<string>
  /** Those of all runs of the same Map, the latest run first. */
  readonly linesLike: (mapRunArn: string) => Iterable<string>
}

/** `…:mapRun:machine/label:id` and `…:execution:machine/label:name` → `machine/label`. */
function mapOf(arn: string): string {
  return arn.split(':')[6] ?? ''
}

/** So many children are remembered without a directory. */
const maxRemembered = 10_000

export function createMemoryRunLines(): RunLines {
  const runs = new Map<string, string[]>()
  let count = 0
  return {
    add: (mapRunArn, line) => {
      const lines = runs.get(mapRunArn) ?? []
      lines.push(line)
      runs.set(mapRunArn, lines)
      count += 1
      const [oldest] = runs.keys()
      if (count <= maxRemembered || oldest === undefined || oldest === mapRunArn) return
      count -= runs.get(oldest)?.length ?? 0
      runs.delete(oldest)
    },
    flush: () => undefined,
    linesOf: mapRunArn => runs.get(mapRunArn) ?? [],
    *linesLike(arn) {
      for (const [mapRunArn, lines] of runs) if (mapOf(mapRunArn) === mapOf(arn)) yield* lines
    },
  }
}

/** So much is written together. */
const maxHeldCharacters = 65_536

/** A folder for each Map, with a file for each of its runs. */
export function createFileRunLines(directory: string, onProblem: ReportProblem): RunLines {
  const held = new Map<string, string>()
  const folderOf = (arn: string): string => join(directory, keyOf(mapOf(arn)))
  const pathOf = (mapRunArn: string): string => join(folderOf(mapRunArn), `${keyOf(mapRunArn)}.jsonl`)
  const flush = (mapRunArn: string): void => {
    const lines = held.get(mapRunArn)
    if (lines === undefined) return
    held.delete(mapRunArn)
    const path = pathOf(mapRunArn)
    try {
      mkdirSync(folderOf(mapRunArn), { recursive: true, mode: 0o700 })
      appendFileSync(path, endsInHalfLine(path) ? `\n${lines}` : lines, { mode: 0o600 })
    } catch (error) {
      // The children go on all the same: what they are resumed from is their parent's.
      onProblem(`Children of ${mapRunArn} cannot be kept for lists: ${(error as Error).message}`)
    }
  }
  return {
    add: (mapRunArn, line) => {
      const lines = (held.get(mapRunArn) ?? '') + line
      held.set(mapRunArn, lines)
      if (lines.length > maxHeldCharacters) flush(mapRunArn)
    },
    flush,
    linesOf: mapRunArn => {
      flush(mapRunArn)
      return readLines(pathOf(mapRunArn))
    },
    *linesLike(arn) {
      for (const mapRunArn of [...held.keys()]) flush(mapRunArn)
      const folder = folderOf(arn)
      if (!existsSync(folder)) return
      const paths = readdirSync(folder).map(file => join(folder, file))
      for (const path of paths.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs))
        yield* readLines(path)
    },
  }
}

function endsInHalfLine(path: string): boolean {
  if (!existsSync(path)) return false
  const { size } = statSync(path)
  const file = openSync(path, 'r')
  try {
    const last = Buffer.alloc(1)
    return readSync(file, last, { position: size - 1 }) === 1 && last.toString() !== '\n'
  } finally {
    closeSync(file)
  }
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40)
}

const chunkBytes = 1 << 20

/** One by one: a file may be longer than a string can be. The last line may be half of one. */
function* readLines(path: string): Generator<string> {
  if (!existsSync(path)) return
  const file = openSync(path, 'r')
  const chunk = Buffer.alloc(chunkBytes)
  try {
    let rest = Buffer.alloc(0)
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      const bytes = Buffer.concat([rest, chunk.subarray(0, read)])
      let start = 0
      for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', start)) {
        yield bytes.toString('utf8', start, end)
        start = end + 1
      }
      rest = bytes.subarray(start)
    }
  } finally {
    closeSync(file)
  }
}
