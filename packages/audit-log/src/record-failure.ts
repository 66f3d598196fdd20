import type { StandardSchemaV1 } from '@standard-schema/spec'
import { parseCause, type TaskErrorClass, toTaskError } from '@stepwright/errors'
import { classifyAws } from '@stepwright/errors/aws'
import { classifyPostgres } from '@stepwright/errors/postgres'
import { defineTask, type Task, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import type { AuditLog } from './audit-log.ts'
import { type AuditPorts, executionIdSchema, timestampSchema } from './audit-task.ts'
import type { ItemOutcome } from './record-outcomes.ts'
import { sealNeeds } from './seal-audit.ts'
import { auditTaskErrors } from './task-errors.ts'

/** An ERROR_HANDLING event: what a catcher found of an execution that fails. */
export interface FailureEvent {
  readonly executionId: string
  /** What kind of failure it is, in the words of the workflow. */
  readonly errorType?: string | undefined
  /** As the catcher's ResultPath has it. */
  readonly error: { readonly Error: string; readonly Cause?: string | undefined }
  /** Of the event, not of the call: a call that is repeated must record the same. */
  readonly timestamp: string
}

/** What a failure event must have; to be extended by what its app needs. */
export const failureEventSchema: z.ZodMiniObject<{
  executionId: typeof executionIdSchema
  errorType: z.ZodMiniOptional<z.ZodMiniString>
  error: z.ZodMiniObject<{ Error: z.ZodMiniString; Cause: z.ZodMiniOptional<z.ZodMiniString> }>
  timestamp: typeof timestampSchema
}> = /* @__PURE__ */ z.object({
  executionId: executionIdSchema,
  errorType: z.optional(z.string()),
  error: z.object({ Error: z.string(), Cause: z.optional(z.string()) }),
  timestamp: timestampSchema,
})

export interface RecordedFailure {
  /** The catcher's error, read: its name, message, code and details. */
  readonly error: FailureDescription
  /** Whether every item has an entry now. */
  readonly isEveryItemRecorded: boolean
  /** Of the seal; undefined where the trail could not be sealed. */
  readonly mac: string | undefined
}

export interface FailureDescription {
  readonly Error: string
  readonly Cause: string
  readonly code?: string
  readonly details?: unknown
}

export interface RecordFailurePorts<Event> extends AuditPorts {
  /** What became of the items that may have no entry yet, in their order. What it fails with is logged, no more. */
  readonly outcomesOfRest: (
    event: Event,
    context: TaskContext,
  ) => Iterable<ItemOutcome> | AsyncIterable<ItemOutcome>
  /** Tells of the failure elsewhere, such as in a file: after the seal, and also where there is none. */
  readonly reportFailure: (event: Event, recorded: RecordedFailure, context: TaskContext) => Promise<void>
}

export interface RecordFailureOptions<Event extends StandardSchemaV1> {
  /** @default a `FailureEvent` */
  readonly event?: Event
  /** Whether the one who sent the data has to do something about it. @default never */
  readonly isBusiness?: (event: StandardSchemaV1.InferOutput<Event>) => boolean
  /** Whether it seals the trail; off where another function does, with a key that those who record do not have. @default true */
  readonly seals?: boolean
  /** What `reportFailure` may fail with. @default none */
  readonly errors?: readonly TaskErrorClass[]
}

type RecordFailureTask<Event extends StandardSchemaV1> = Task<
  StandardSchemaV1.InferInput<Event>,
  { readonly isEveryItemRecorded: boolean; readonly mac?: string | undefined },
  RecordFailurePorts<StandardSchemaV1.InferOutput<Event>>
>

/** The entry of the execution itself: items are counted from 1. */
const executionItem = 0
/** How much of the time the items may take: the seal and the report come in any case. */
const shareForItems = 0.6

/**
 * Records that an execution failed: first the failure itself, then items that have no entry, as far as there is time,
 * then the seal, whatever became of those. A repeated call is harmless.
 */
export function recordFailure<Event extends StandardSchemaV1>(
  options: RecordFailureOptions<Event> & { readonly event: Event },
): RecordFailureTask<Event>
export function recordFailure(
  options?: Omit<RecordFailureOptions<StandardSchemaV1<FailureEvent>>, 'event'>,
): RecordFailureTask<StandardSchemaV1<FailureEvent>>
export function recordFailure({
  event: schema = failureEventSchema,
  isBusiness = () => false,
  seals = true,
  errors = [],
  // biome-ignore lint/suspicious/noExplicitAny: whatever event a schema gives; the overloads say which
}: RecordFailureOptions<StandardSchemaV1<any>> = {}): RecordFailureTask<StandardSchemaV1<any>> {
  return defineTask({
    name: 'record-failure',
    description:
      'Adds the failure of an execution to its trail, with items that have no entry, and seals it.',
    needs: {
      ports: {
        ...sealNeeds.ports,
        outcomesOfRest: 'says what became of items that may have no entry yet',
        reportFailure: 'tells of the failure elsewhere, such as in a file',
      },
      permissions: sealNeeds.permissions,
    },
    idempotent: true,
    input: schema,
    output: z.object({ isEveryItemRecorded: z.boolean(), mac: z.optional(z.string()) }),
    errors: [...auditTaskErrors, ...errors],
    async run(given, ports: RecordFailurePorts<unknown>, context) {
      const event = given as FailureEvent
      const { executionId, errorType, timestamp } = event
      const error = describe(event)
      context.logger.error('execution failed', { executionId, errorType, error: error.Error })
      const recorded = { error, isEveryItemRecorded: false, mac: undefined as string | undefined }
      try {
        const entry = {
          executionId,
          itemIndex: executionItem,
          logType: isBusiness(event) ? ('BUSINESS_ERROR' as const) : ('SYSTEM_ERROR' as const),
          timestamp,
          error: { ...error, ...(errorType !== undefined && { errorType }) },
        }
        // A call that is repeated after the seal must not add to it.
        await ports.audit.appendMissing([entry])
        recorded.isEveryItemRecorded = await recordRest(event, ports, context)
        const { isEveryItemRecorded } = recorded
        if (!seals) return { isEveryItemRecorded }
        // The run may have failed after its trail was sealed.
        const { mac } = await ports.audit.seal(executionId, { reopen: true })
        recorded.mac = mac
        return { isEveryItemRecorded, mac }
      } finally {
        await ports.reportFailure(event, recorded, context)
      }
    },
  })
}

function describe({ error }: FailureEvent): FailureDescription {
  const { name = error.Error, message, code, details } = parseCause({ Cause: '', ...error } as never)
  return { Error: name, Cause: message, ...(code && { code }), ...(details && { details }) }
}

async function recordRest<Event extends FailureEvent>(
  event: Event,
  { audit, outcomesOfRest }: { readonly audit: AuditLog } & Pick<RecordFailurePorts<Event>, 'outcomesOfRest'>,
  context: TaskContext,
): Promise<boolean> {
  const { executionId, timestamp } = event
  const signal = untilShare(context)
  async function* missing() {
    for await (const outcome of outcomesOfRest(event, { ...context, signal })) {
      signal.throwIfAborted()
      yield { ...outcome, executionId, timestamp }
    }
  }
  try {
    await Promise.race([audit.appendMissing(missing()), aborted(signal)])
    return true
  } catch (error) {
    context.logger.error('not every item was recorded', {
      executionId,
      error: toTaskError(error, classifyAws, classifyPostgres).name,
    })
    return false
  }
}

function untilShare({ signal, remainingMs }: TaskContext): AbortSignal {
  const ms = Math.floor(remainingMs() * shareForItems)
  return Number.isFinite(ms) ? AbortSignal.any([signal, AbortSignal.timeout(ms)]) : signal
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
