import type { EventPattern } from '@stepwright/app'

/** What EventBridge carries, as far as patterns look at it. */
export interface BusEvent {
  readonly source: string
  readonly 'detail-type': string
  readonly detail: object
}

/** Whether every field that the pattern names has one of the values that it lists. */
export function matchesPattern(pattern: EventPattern, event: BusEvent): boolean {
  return matches(pattern as Readonly<Record<string, unknown>>, event)
}

function matches(pattern: Readonly<Record<string, unknown>>, value: unknown): boolean {
  return Object.entries(pattern).every(([key, wanted]) => {
    const found = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key]
    if (Array.isArray(wanted)) return wanted.includes(found)
    return matches(wanted as Readonly<Record<string, unknown>>, found)
  })
}
