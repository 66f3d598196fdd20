import type { Finding } from '@stepwright/asl'

/** What fails a synthesis: errors, one line each, as `stepwright check` prints them. */
export function toMessages(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ file, line, column, pointer, rule, message, suggestion }) =>
      [
        `${file}:${line}:${column} ${pointer} ${rule}: ${message}`,
        ...(suggestion === undefined ? [] : [suggestion]),
      ].join(' '),
    )
}
