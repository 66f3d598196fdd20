import { DataValidationError } from '@stepwright/errors'

export const logTypes = ['SUCCESS', 'BUSINESS_ERROR', 'SYSTEM_ERROR'] as const

export type LogType = (typeof logTypes)[number]

/** What an entry tells. Any JSON, or nothing. */
export interface AuditFields {
  readonly userRecord?: unknown
  readonly processResult?: unknown
  readonly error?: unknown
}

/** What became of one item of an execution. */
export interface AuditEntry extends AuditFields {
  readonly executionId: string
  readonly itemIndex: number
  /** Which try of the item; with execution and item it names the entry. From 1. */
  readonly attempt: number
  readonly logType: LogType
  /** ISO 8601, UTC, with milliseconds. */
  readonly timestamp: string
}

export interface NewAuditEntry extends Omit<AuditEntry, 'attempt' | 'timestamp'> {
  /** @default 1 */
  readonly attempt?: number | undefined
  /** ISO 8601 with an offset, or Z. @default now */
  readonly timestamp?: string | undefined
}

/** Entries one after the other; an asynchronous source may give many at a time, which is quicker. */
export type NewAuditEntries = Iterable<NewAuditEntry> | AsyncIterable<NewAuditEntry | Iterable<NewAuditEntry>>

/** @throws DataValidationError for what could not be stored under a key */
export function completeEntry(entry: NewAuditEntry, nowMs: number): AuditEntry {
  const { executionId, itemIndex, attempt = 1, logType, userRecord, processResult, error } = entry
  const timeMs = entry.timestamp === undefined ? nowMs : parseTime(entry.timestamp)
  const problem = !(executionId !== '' && executionId.length <= 256 && executionId.isWellFormed())
    ? 'executionId must be 1 to 256 characters of Unicode'
    : !isWhole(itemIndex, 0, 999_999_999_999)
      ? 'itemIndex must be a whole number from 0 to 999999999999'
      : !isWhole(attempt, 1, 999_999)
        ? 'attempt must be a whole number from 1 to 999999'
        : !logTypes.includes(logType)
          ? `logType must be one of ${logTypes.join(', ')}`
          : !(timeMs >= 0 && timeMs < 253_402_300_800_000)
            ? 'timestamp must be a time of ISO 8601 with its offset, from 1970 to 9999'
            : undefined
  if (problem) throw new DataValidationError(`audit entry: ${problem}`)
  const timestamp = toIso(timeMs)
  return { executionId, itemIndex, attempt, logType, timestamp, userRecord, processResult, error }
}

/** Entries of a batch have one time: it is read and written once. */
const lastTime = { text: '', ms: Number.NaN, iso: '' }

function parseTime(text: string): number {
  if (text !== lastTime.text) {
    lastTime.ms = isIsoTime(text) ? Date.parse(text) : Number.NaN
    lastTime.text = text
    lastTime.iso = ''
  }
  return lastTime.ms
}

/** Date.parse reads much more, such as `1`, and what has no offset by the clock of the machine. */
function isIsoTime(text: string): boolean {
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  const midnightMs = Date.parse(day)
  // A 30th of February would be the 1st of March.
  return !Number.isNaN(midnightMs) && new Date(midnightMs).toISOString().startsWith(day)
}

function toIso(ms: number): string {
  if (ms !== lastTime.ms) return new Date(ms).toISOString()
  lastTime.iso ||= new Date(ms).toISOString()
  return lastTime.iso
}

function isWhole(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max
}
