import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { TaskErrorClass } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Scope } from '../row-sink.ts'
import type { BatchWriter } from '../writer/batch-writer.ts'
import type { AttemptRetry } from '../writer/retry-transient.ts'
import { countSchema, jobIdSchema } from './schemas.ts'
import { databaseErrors } from './task-errors.ts'
import { tellRetry } from './tell-retry.ts'

export interface ClearScopeInput {
  readonly jobId: string
  readonly scope: Scope
}

export interface ClearScopePorts {
  readonly writer: Pick<BatchWriter<never>, 'clearScope'>
}

export interface ClearScopeOptions<Input extends StandardSchemaV1> {
  /** @default an object with `jobId` and `scope` */
  readonly input?: Input
  /** Which job clears what. @default as the input says */
  readonly target?: (input: StandardSchemaV1.InferOutput<Input>) => ClearScopeInput
  /** The error to be thrown for one that it failed with. @default the same */
  readonly explain?: (error: unknown, input: StandardSchemaV1.InferOutput<Input>) => unknown
  /** All that it announces. @default ValidationError, DatabaseConnectionError, TemporaryError */
  readonly errors?: readonly TaskErrorClass[]
  /** A call is stopped after so long. The next one goes on where it was. */
  readonly maxSeconds?: number
  /** @default 'clear-scope' */
  readonly name?: string
  readonly description?: string
}

const scopeValue = z.union([z.string(), z.number(), z.boolean()])
const clearScopeInput = z.object({
  jobId: jobIdSchema,
  scope: z.record(z.string(), z.union([scopeValue, z.object({ below: scopeValue })])),
})
const clearScopeOutput = z.object({ deleted: countSchema })

/** A task that deletes the rows a job replaces, once per job and in bounded transactions. */
export function clearScope<Input extends StandardSchemaV1>(
  options: ClearScopeOptions<Input> & { readonly input: Input },
): Task<StandardSchemaV1.InferInput<Input>, { deleted: number }, ClearScopePorts>
export function clearScope(
  options?: Omit<ClearScopeOptions<StandardSchemaV1<ClearScopeInput>>, 'input' | 'target'>,
): Task<ClearScopeInput, { deleted: number }, ClearScopePorts>
export function clearScope({
  input = clearScopeInput,
  target = given => given as ClearScopeInput,
  explain = error => error,
  errors = databaseErrors,
  maxSeconds,
  name = 'clear-scope',
  description = 'Deletes the rows that a job replaces, once per job and in bounded transactions.',
  // biome-ignore lint/suspicious/noExplicitAny: whatever input a schema gives; the overloads say which
}: ClearScopeOptions<StandardSchemaV1<any>> = {}): Task<any, { deleted: number }, ClearScopePorts> {
  return defineTask({
    name,
    description,
    idempotent: true,
    ...(maxSeconds !== undefined && { maxSeconds }),
    needs: {
      ports: { writer: 'The batch writer of the table that the rows are deleted from.' },
      permissions: [{ actions: ['rds-db:connect'], on: 'the database user, where it signs in by IAM' }],
    },
    input,
    output: clearScopeOutput,
    errors,
    async run(given, { writer }: ClearScopePorts, context) {
      const { signal, remainingMs } = context
      const { jobId, scope } = target(given)
      const onRetry = (retry: AttemptRetry): void => tellRetry('clearing a scope', retry, { jobId }, context)
      try {
        return { deleted: await writer.clearScope(jobId, scope, { signal, remainingMs, onRetry }) }
      } catch (error) {
        throw explain(error, given)
      }
    },
  })
}
