import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { type AuditPorts, type ExecutionInput, executionIdSchema } from './audit-task.ts'
import { AuditVerificationError } from './errors.ts'
import { auditTaskErrors } from './task-errors.ts'

export interface VerifyAuditInput extends ExecutionInput {
  /** The one that `sealAudit` gave. @default any seal of the execution will do */
  readonly mac?: string | undefined
  /** The one that a call gave which had no time left. @default from the start */
  readonly checkpoint?: string | undefined
  /** Whether genuine entries may follow the last seal. @default false */
  readonly allowLate?: boolean | undefined
}

export type VerifyAuditOutput =
  | {
      readonly isComplete: true
      readonly entries: number
      readonly writers: number
      readonly late: number
    }
  /** All is well so far: call it again with the checkpoint. */
  | { readonly isComplete: false; readonly checkpoint: string }

/** What is left of the time, as a part of it, when it stops at the next checkpoint. */
const shareLeft = 0.25
/** A second or so between two checkpoints, whatever the store. */
const checkpointBlocks = 50

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
  input: z.object({
    executionId: executionIdSchema,
    mac: z.optional(z.string()),
    checkpoint: z.optional(z.string()),
    allowLate: z.optional(z.boolean()),
  }),
  output: z.union([
    z.object({ isComplete: z.literal(true), entries: z.int(), writers: z.int(), late: z.int() }),
    z.object({ isComplete: z.literal(false), checkpoint: z.string() }),
  ]),
  errors: auditTaskErrors,
  async run({ executionId, ...options }, { audit }: AuditPorts, { signal, remainingMs }) {
    const enough = new AbortController()
    const leftMs = remainingMs() * shareLeft
    let last = ''
    try {
      const result = await audit.verify(executionId, {
        ...options,
        checkpointBlocks,
        signal: AbortSignal.any([signal, enough.signal]),
        onCheckpoint(checkpoint) {
          last = checkpoint
          if (remainingMs() < leftMs) enough.abort()
        },
      })
      if (result.ok) {
        const { entries, writers, late } = result
        return { isComplete: true, entries, writers, late } as const
      }
      const { problem } = result
      throw new AuditVerificationError(problem.message, { code: problem.kind, details: { problem } })
    } catch (error) {
      if (error !== enough.signal.reason || !enough.signal.aborted) throw error
      return { isComplete: false, checkpoint: last } as const
    }
  },
})
