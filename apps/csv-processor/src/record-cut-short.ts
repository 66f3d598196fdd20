import { type AuditPorts, auditTaskErrors } from '@stepwright/audit-log/tasks'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'

/** What EventBridge says of an execution that timed out or was stopped: none of its states could. */
const cutShort = z.object({
  time: z.iso.datetime({ offset: true }),
  detail: z.looseObject({
    name: z.string().check(z.minLength(1)),
    status: z.enum(['TIMED_OUT', 'ABORTED']),
    redriveCount: z.optional(z.nullable(z.int())),
    error: z.optional(z.nullable(z.string())),
    cause: z.optional(z.nullable(z.string())),
  }),
})

/** Adds to the trail that the execution ended so, and seals it. A redrive goes on, and seals it once more. */
export const recordCutShort = defineTask({
  name: 'record-cut-short',
  idempotent: true,
  input: cutShort,
  output: z.object({ mac: z.string() }),
  errors: auditTaskErrors,
  async run({ time, detail }, { audit }: AuditPorts) {
    const { name: executionId, status, error, cause, redriveCount } = detail
    await audit.append({
      executionId,
      itemIndex: 0,
      attempt: (redriveCount ?? 0) + 1,
      logType: 'SYSTEM_ERROR',
      timestamp: time,
      error: {
        Error: error ?? (status === 'TIMED_OUT' ? 'States.Timeout' : 'ABORTED'),
        ...(cause && { Cause: cause }),
        errorType: status,
      },
    })
    const { mac } = await audit.seal(executionId, { reopen: true })
    return { mac }
  },
})
