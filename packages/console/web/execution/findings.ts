import type { Finding } from '@stepwright/asl'

/** The state that a pointer leads into: everything up to its last `States/NAME`. */
export function stateOf(pointer: string): string {
  return /^(.*\/States\/[^/]+)/.exec(pointer)?.[1] ?? ''
}

export function countFindings(findings: readonly Finding[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { pointer } of findings) {
    const state = stateOf(pointer)
    counts[state] = (counts[state] ?? 0) + 1
  }
  return counts
}
