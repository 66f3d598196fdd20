import {
  NetworkError,
  ServiceUnavailableException,
  type TaskErrorClass,
  ThrottlingException,
} from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { logTypes, type NewAuditEntry } from './audit-entry.ts'
import type { AuditLog } from './audit-log.ts'
import { AuditVerificationError } from './errors.ts'

export interface AuditPorts {
  readonly audit: AuditLog
}

const storeErrors: readonly TaskErrorClass[] = [
  ThrottlingException,
  ServiceUnavailableException,
  NetworkError,
]

const executionId = /* @__PURE__ */ z.string().check(z.minLength(1), z.maxLength(256))

/** Records what became of one item: AUDIT_LOGGING. A repeated call is harmless. */
export const recordAudit: Task<NewAuditEntry, { readonly recorded: true }, AuditPorts> =
  /* @__PURE__ */ defineTask({
    name: 'record-audit',
    input: z.object({
      executionId,
      itemIndex: z.int(),
      attempt: z._default(z.int(), 1),
      logType: z.enum(logTypes),
      timestamp: z.optional(z.iso.datetime({ offset: true })),
      userRecord: z.optional(z.unknown()),
      processResult: z.optional(z.unknown()),
      error: z.optional(z.unknown()),
    }),
    output: z.object({ recorded: z.literal(true) }),
    errors: storeErrors,
    async run(input, { audit }: AuditPorts) {
      await audit.append(input)
      return { recorded: true } as const
    },
  })

export interface ExecutionInput {
  readonly executionId: string
}

export interface SealAuditOutput {
  /** Keep it elsewhere, e.g. in the execution's output: it proves that the seal is the one that was made. */
  readonly mac: string
  readonly entries: number
  readonly writers: number
  readonly sealedAt: string
}

/** Seals an execution's trail when all its items are done. */
export const sealAudit: Task<ExecutionInput, SealAuditOutput, AuditPorts> = /* @__PURE__ */ defineTask({
  name: 'seal-audit',
  input: z.object({ executionId }),
  output: z.object({ mac: z.string(), entries: z.int(), writers: z.int(), sealedAt: z.iso.datetime() }),
  errors: [AuditVerificationError, ...storeErrors],
  async run(input, { audit }: AuditPorts) {
    const { mac, entries, chains, sealedAt } = await audit.seal(input.executionId)
    return { mac, entries, writers: chains.length, sealedAt }
  },
})

export interface VerifyAuditOutput {
  readonly entries: number
  readonly writers: number
  readonly late: number
}

/** Fails with AuditVerificationError, which names the first trouble, unless the trail is whole. */
export const verifyAudit: Task<ExecutionInput, VerifyAuditOutput, AuditPorts> = /* @__PURE__ */ defineTask({
  name: 'verify-audit',
  input: z.object({ executionId }),
  output: z.object({ entries: z.int(), writers: z.int(), late: z.int() }),
  errors: [AuditVerificationError, ...storeErrors],
  async run(input, { audit }: AuditPorts) {
    const result = await audit.verify(input.executionId)
    if (result.ok) return { entries: result.entries, writers: result.writers, late: result.late }
    const { problem } = result
    throw new AuditVerificationError(problem.message, { code: problem.kind, details: { problem } })
  },
})
