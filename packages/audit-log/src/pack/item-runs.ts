import { type LogType, logTypes } from '../audit-entry.ts'

/** Items that follow each other, both ends included. */
export interface ItemRun {
  readonly from: number
  readonly to: number
}

/** What a block's index is made of. */
export interface IndexedEntry {
  readonly itemIndex: number
  readonly logType: LogType
}

/** Which items a block has entries of, by type, as a text: `SUCCESS 1-499,501;BUSINESS_ERROR 500`. */
export function toIndex(entries: readonly IndexedEntry[]): string {
  const parts: string[] = []
  for (const logType of logTypes) {
    const runs = toRuns(entries, logType)
    if (runs.length > 0) parts.push(`${logType} ${runs.map(toText).join(',')}`)
  }
  return parts.join(';')
}

/** The runs of all types, in the order of their first items; undefined for a text that `toIndex` did not make. */
export function parseIndex(index: string): ItemRun[] | undefined {
  const runs: ItemRun[] = []
  for (const part of index.split(';')) {
    const [, text] = /^(?:SUCCESS|BUSINESS_ERROR|SYSTEM_ERROR) ([\d,-]+)$/.exec(part) ?? []
    for (const run of text?.split(',') ?? ['']) {
      const [, from, to = from] = /^(\d{1,12})(?:-(\d{1,12}))?$/.exec(run) ?? []
      if (from === undefined || Number(from) > Number(to)) return undefined
      runs.push({ from: Number(from), to: Number(to) })
    }
  }
  return runs.sort((a, b) => a.from - b.from)
}

function toRuns(entries: readonly IndexedEntry[], logType: LogType): ItemRun[] {
  const runs: { from: number; to: number }[] = []
  let last: { from: number; to: number } | undefined
  for (const { itemIndex, logType: its } of entries) {
    if (its !== logType) continue
    if (last !== undefined && itemIndex <= last.to + 1) last.to = itemIndex
    else {
      last = { from: itemIndex, to: itemIndex }
      runs.push(last)
    }
  }
  return runs
}

function toText({ from, to }: ItemRun): string {
  return from === to ? `${from}` : `${from}-${to}`
}
