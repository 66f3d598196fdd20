/** Something that happens, and what it calls or starts. */
export type TriggerDeclaration =
  | (TriggerSource & TriggerTarget)
  /** A function gets up to so many messages at once, and may report which of them failed. @default 10, the most */
  | { readonly queue: string; readonly batchSize?: number; readonly calls: string }
  /** A function gets the changes of a table's items, in order, and may report from which on it failed. @default 100 */
  | { readonly stream: string; readonly batchSize?: number; readonly calls: string }

export type TriggerSource =
  | {
      readonly objectCreated: { readonly bucket: string; readonly prefix?: string; readonly suffix?: string }
    }
  /** Without an input, the target gets EventBridge's scheduled event. */
  | { readonly schedule: Schedule; readonly input?: unknown }
  | { readonly event: EventPattern }

/** How a function gets the changes of a table where its trigger says nothing. */
export const streamDefaults: {
  readonly batchSize: number
  readonly maxRetries: number
  readonly viewType: 'NEW_AND_OLD_IMAGES'
} = { batchSize: 100, maxRetries: 10, viewType: 'NEW_AND_OLD_IMAGES' }

/** Whether EventBridge delivers what happens; queues and streams are polled by Lambda. */
export function isRuleTrigger<T extends TriggerDeclaration>(
  trigger: T,
): trigger is Exclude<T, { readonly queue: string } | { readonly stream: string }> {
  return !('queue' in trigger) && !('stream' in trigger)
}

/** Whether a function reads the changes of the table. */
export function hasStream(
  triggers: Readonly<Record<string, TriggerDeclaration>> | undefined,
  tableName: string,
): boolean {
  return Object.values(triggers ?? {}).some(trigger => 'stream' in trigger && trigger.stream === tableName)
}

/** As EventBridge writes it: `rate(5 minutes)`, `cron(0 3 * * ? *)`. */
export type Schedule = `rate(${string})` | `cron(${string})`

/** As EventBridge writes it: fields with values, and filters such as `{ prefix: 'data/' }`, of which one must match. */
export interface EventPattern {
  readonly source?: readonly EventFilter[]
  readonly 'detail-type'?: readonly EventFilter[]
  readonly account?: readonly EventFilter[]
  readonly region?: readonly EventFilter[]
  readonly resources?: readonly EventFilter[]
  readonly detail?: Readonly<Record<string, unknown>>
  readonly $or?: readonly EventPattern[]
}

export type EventFilter = string | number | boolean | null | Readonly<Record<string, unknown>>

/** A function gets the event; an execution has it as its input, under a name that AWS makes up. */
export type TriggerTarget = { readonly calls: string } | { readonly starts: string }

/** The pattern of the events that S3 sends for objects whose keys begin and end so. */
export function objectCreatedPattern(
  bucketName: string,
  { prefix = '', suffix = '' }: { readonly prefix?: string; readonly suffix?: string },
): EventPattern {
  const key =
    prefix !== '' && suffix !== ''
      ? [{ wildcard: `${escapeWildcard(prefix)}*${escapeWildcard(suffix)}` }]
      : prefix !== ''
        ? [{ prefix }]
        : suffix !== ''
          ? [{ suffix }]
          : undefined
  return {
    source: ['aws.s3'],
    'detail-type': ['Object Created'],
    detail: { bucket: { name: [bucketName] }, ...(key && { object: { key } }) },
  }
}

function escapeWildcard(text: string): string {
  return text.replaceAll(/[\\*]/g, found => `\\${found}`)
}
