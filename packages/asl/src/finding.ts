import type { Json } from './language.ts'
import { type RuleId, rules, type Severity } from './rules.ts'
import { formatPointer, type Pointer } from './source/pointer.ts'
import type { Location, Source } from './source/source.ts'

export interface Finding {
  readonly rule: RuleId
  readonly severity: Severity
  readonly message: string
  readonly file: string
  /** RFC 6901, the root as `/`. */
  readonly pointer: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  /** What to do about it. */
  readonly suggestion?: string
  /** A change of Retry or Catch that resolves the finding. */
  readonly fix?: Fix
}

/** Puts `value` in place of what stands at `pointer`; without `value` it is removed. */
export interface Fix {
  readonly pointer: Pointer
  readonly value?: Json
}

export interface FindingDetails {
  readonly suggestion?: string | undefined
  readonly fix?: Fix | undefined
  /** Point at the key rather than at the value. */
  readonly at?: 'key' | 'value'
  readonly location?: Location
}

export type Report = (rule: RuleId, pointer: Pointer, message: string, details?: FindingDetails) => void

/** Collects findings of one source, in the order of the text. */
export function createFindings(source: Source): {
  readonly report: Report
  readonly sorted: () => Finding[]
} {
  const findings: Finding[] = []
  const seen = new Set<string>()
  return {
    report(rule, pointer, message, details = {}) {
      const place = formatPointer(pointer)
      const key = `${rule} ${place} ${message}`
      if (seen.has(key)) return
      seen.add(key)
      const { line, column, endLine, endColumn } = details.location ?? source.locate(pointer, details.at)
      findings.push({
        rule,
        severity: rules[rule].severity,
        message,
        file: source.file,
        pointer: place,
        line,
        column,
        endLine,
        endColumn,
        ...(details.suggestion === undefined ? {} : { suggestion: details.suggestion }),
        ...(details.fix === undefined ? {} : { fix: details.fix }),
      })
    },
    sorted: () =>
      findings.sort(
        (a, b) => a.line - b.line || a.column - b.column || (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0),
      ),
  }
}
