import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { type AuditPorts, type ExecutionInput, executionIdSchema } from './audit-task.ts'
import { AuditVerificationError } from './errors.ts'
import { storeErrors } from './task-errors.ts'

export interface VerifyAuditInput extends ExecutionInput {
  /** The one that `sealAudit` gave. @default any seal of the execution will do */
  readonly mac?: string | undefined
}

export interface VerifyAuditOutput {
  readonly entries: number
  readonly writers: number
  readonly late: number
}

/** Fails with AuditVerificationError, which names the first trouble, unless the trail is whole. */
export const verifyAudit: Task<VerifyAuditInput, VerifyAuditOutput, AuditPorts> = /* @__PURE__ */ defineTask({
  name: 'verify-audit',
  description: 'Reads the whole trail of an execution and fails unless everything is as it was written.',
  idempotent: true,
  needs: {
    ports: { audit: 'the audit log, with the keys and the store of seals' },
    permissions: [
      { actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'], on: 'the audit table' },
      { actions: ['dynamodb:GetItem'], on: 'the table of seals, if there is one' },
      { actions: ['secretsmanager:GetSecretValue'], on: 'the keys that sign entries and seals' },
    ],
  },
  input: z.object({ executionId: executionIdSchema, mac: z.optional(z.string()) }),
  output: z.object({ entries: z.int(), writers: z.int(), late: z.int() }),
  errors: [AuditVerificationError, ...storeErrors],
  async run({ executionId, mac }, { audit }: AuditPorts) {
    const result = await audit.verify(executionId, { mac })
    if (result.ok) return { entries: result.entries, writers: result.writers, late: result.late }
    const { problem } = result
    throw new AuditVerificationError(problem.message, { code: problem.kind, details: { problem } })
  },
})
