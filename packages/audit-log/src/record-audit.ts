import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { logTypes, type NewAuditEntry } from './audit-entry.ts'
import {
  type AuditPorts,
  attemptSchema,
  executionIdSchema,
  recordNeeds,
  timestampSchema,
} from './audit-task.ts'
import { auditTaskErrors } from './task-errors.ts'

/** Records what became of one item: AUDIT_LOGGING. A repeated call is harmless. */
export const recordAudit: Task<NewAuditEntry, { readonly recorded: true }, AuditPorts> =
  /* @__PURE__ */ defineTask({
    name: 'record-audit',
    description: 'Adds one entry to the trail of an execution: what became of an item.',
    idempotent: true,
    needs: recordNeeds,
    input: z.object({
      executionId: executionIdSchema,
      itemIndex: z.int().check(z.nonnegative()),
      attempt: z._default(attemptSchema, 1),
      logType: z.enum(logTypes),
      timestamp: z.optional(timestampSchema),
      userRecord: z.optional(z.unknown()),
      processResult: z.optional(z.unknown()),
      error: z.optional(z.unknown()),
    }),
    output: z.object({ recorded: z.literal(true) }),
    errors: auditTaskErrors,
    async run(input, { audit }: AuditPorts) {
      await audit.append(input)
      return { recorded: true } as const
    },
  })
