import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { type AuditPorts, type ExecutionInput, executionIdSchema, type Needs } from './audit-task.ts'
import { AuditVerificationError } from './errors.ts'
import type { ItemRange } from './item-range.ts'
import { storeErrors } from './task-errors.ts'

export interface SealAuditInput extends ExecutionInput {
  /** The items that must have an entry, or nothing is sealed. @default any */
  readonly items?: ItemRange | undefined
  /** Of the execution, `$$.Execution.RedriveCount`: after a redrive the trail goes on, and is sealed once more. @default 0 */
  readonly redriveCount?: number | undefined
  /** Whether the trail may have gone on after a seal for another reason, such as a failure at the very end. @default false */
  readonly reopen?: boolean | undefined
}

export interface SealAuditOutput {
  /** Keep it elsewhere, e.g. in the execution's output: it proves that the seal is the one that was made. */
  readonly mac: string
  readonly entries: number
  readonly writers: number
  readonly sealedAt: string
}

/** A role that seals reads the trail as a whole, too. */
export const sealNeeds: Needs<'audit'> = {
  ports: { audit: 'the audit log, with the key and the store of seals' },
  permissions: [
    {
      actions: ['dynamodb:PartiQLInsert', 'dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'],
      on: 'the audit table',
    },
    { actions: ['dynamodb:PartiQLInsert', 'dynamodb:GetItem'], on: 'the table of seals, if there is one' },
    { actions: ['secretsmanager:GetSecretValue'], on: 'the keys that sign entries and seals' },
  ],
}

/** Seals an execution's trail when all its items are done. */
export const sealAudit: Task<SealAuditInput, SealAuditOutput, AuditPorts> = /* @__PURE__ */ defineTask({
  name: 'seal-audit',
  description: 'Seals the trail of an execution, so that what is missing later is found.',
  idempotent: true,
  needs: sealNeeds,
  input: z.object({
    executionId: executionIdSchema,
    items: z.optional(
      z.object({ first: z.int().check(z.nonnegative()), count: z.int().check(z.nonnegative()) }),
    ),
    redriveCount: z.optional(z.int().check(z.nonnegative())),
    reopen: z.optional(z.boolean()),
  }),
  output: z.object({ mac: z.string(), entries: z.int(), writers: z.int(), sealedAt: z.iso.datetime() }),
  errors: [AuditVerificationError, ...storeErrors],
  async run({ executionId, items, redriveCount = 0, ...given }, { audit }: AuditPorts) {
    const reopen = given.reopen || redriveCount > 0
    const { mac, entries, chains, sealedAt } = await audit.seal(executionId, { items, reopen })
    return { mac, entries, writers: chains.length, sealedAt }
  },
})
