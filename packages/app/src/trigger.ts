/** Something that happens, and what it calls or starts. */
export type TriggerDeclaration<
  F extends string = string,
  W extends string = string,
  B extends string = string,
  Q extends string = string,
> = TriggerSource<B, Q> & TriggerTarget<F, W>

export type TriggerSource<B extends string = string, Q extends string = string> =
  | { readonly objectCreated: { readonly bucket: B; readonly prefix?: string; readonly suffix?: string } }
  | { readonly schedule: Schedule; readonly input?: unknown }
  | { readonly queue: Q; readonly batchSize?: number }
  | { readonly event: EventPattern }

/** As EventBridge writes it: `rate(5 minutes)`, `cron(0 3 * * ? *)`. */
export type Schedule = `rate(${string})` | `cron(${string})`

/** The fields of EventBridge's patterns that compare for equality. */
export interface EventPattern {
  readonly source?: readonly string[]
  readonly 'detail-type'?: readonly string[]
  readonly detail?: Readonly<Record<string, unknown>>
}

/** A function gets the event; an execution has it as its input, under a name that AWS makes up. */
export type TriggerTarget<F extends string = string, W extends string = string> =
  | { readonly calls: F }
  | { readonly starts: W }
