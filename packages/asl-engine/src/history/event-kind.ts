import type { EventDetails } from './record.ts'

/** A kind of event whose details are made of its data only when somebody reads them. */
export interface EventKind<Data> {
  readonly type: string
  readonly detailsOf: (data: Data) => EventDetails
}

export function typeOf(kind: string | EventKind<never>): string {
  return typeof kind === 'string' ? kind : kind.type
}
