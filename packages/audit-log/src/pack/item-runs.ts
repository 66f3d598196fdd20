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

/** Which items a block has entries of, by type; they are added in their order. */
export interface Index {
  add(entry: IndexedEntry): void
  /** `SUCCESS 1-499,501;BUSINESS_ERROR 500` */
  toText(): string
}

export function createIndex(): Index {
  const runs: Record<LogType, { from: number; to: number }[]> = {
    SUCCESS: [],
    BUSINESS_ERROR: [],
    SYSTEM_ERROR: [],
  }
  return {
    add({ itemIndex, logType }) {
      const last = runs[logType].at(-1)
      if (last !== undefined && itemIndex <= last.to + 1) last.to = itemIndex
      else runs[logType].push({ from: itemIndex, to: itemIndex })
    },
    toText: () =>
      logTypes
        .filter(logType => runs[logType].length > 0)
        .map(logType => `${logType} ${runs[logType].map(toText).join(',')}`)
        .join(';'),
  }
}

export function toIndex(entries: readonly IndexedEntry[]): string {
  const index = createIndex()
  for (const entry of entries) index.add(entry)
  return index.toText()
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

function toText({ from, to }: ItemRun): string {
  return from === to ? `${from}` : `${from}-${to}`
}
