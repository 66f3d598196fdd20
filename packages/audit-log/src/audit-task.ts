import * as z from 'zod/mini'
import type { AuditLog } from './audit-log.ts'

export interface AuditPorts {
  readonly audit: AuditLog
}

export interface ExecutionInput {
  readonly executionId: string
}

export const executionIdSchema: z.ZodMiniType<string, string> = /* @__PURE__ */ z
  .string()
  .check(z.minLength(1), z.maxLength(256))

export const timestampSchema: z.ZodMiniType<string, string> = /* @__PURE__ */ z.iso.datetime({ offset: true })

/** From 1, as the entries have it. */
export const attemptSchema: z.ZodMiniType<number, number> = /* @__PURE__ */ z
  .int()
  .check(z.minimum(1), z.maximum(999_999))

export interface Needs<Ports extends string> {
  readonly ports: Readonly<Record<Ports, string>>
  readonly permissions: readonly { readonly actions: readonly string[]; readonly on: string }[]
}

/** A role that records can add to the trail, but neither change nor delete. */
export const recordNeeds: Needs<'audit'> = {
  ports: { audit: 'the audit log' },
  permissions: [
    { actions: ['dynamodb:PartiQLInsert', 'dynamodb:GetItem'], on: 'the audit table' },
    { actions: ['secretsmanager:GetSecretValue'], on: 'the key that signs entries' },
  ],
}
