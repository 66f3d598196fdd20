/** An event as EventBridge delivers it. */
export interface BusEvent {
  readonly version: string
  readonly id: string
  readonly 'detail-type': string
  readonly source: string
  readonly account: string
  /** ISO 8601, in seconds. */
  readonly time: string
  readonly region: string
  readonly resources: readonly string[]
  readonly detail: object
}

/** ISO 8601 without the fraction, as events have it. */
export function toEventTime(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`
}
