import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { ErrorKind, RetryPolicy } from '@stepwright/errors'
import { commonErrors } from './announced-errors.ts'
import type { AnyTask, TaskNeeds } from './task.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** What a state machine must know of a task, as plain data. */
export interface TaskContract {
  readonly name: string
  readonly description?: string
  readonly needs?: TaskNeeds
  readonly idempotent?: boolean
  readonly maxSeconds?: number
  /** Undefined where the schema's library cannot express it as JSON Schema. */
  readonly input: JsonSchema | undefined
  readonly output: JsonSchema | undefined
  readonly errors: readonly ErrorContract[]
  /** For a router: the contract behind each value of its field. */
  readonly routes?: Readonly<Record<string, TaskContract>>
}

export interface ErrorContract {
  readonly name: string
  readonly kind: ErrorKind
  readonly retry: RetryPolicy | undefined
}

export interface DescribeOptions {
  /**
   * For schemas that cannot describe themselves (Standard JSON Schema), such as those of `zod/mini`:
   * `(schema, io) => z.toJSONSchema(schema, { io })`.
   */
  readonly toJsonSchema?: (schema: StandardSchemaV1, side: 'input' | 'output') => JsonSchema | undefined
}

/** A task's contract, without building its ports or running it. */
export function describeTask(task: AnyTask, options: DescribeOptions = {}): TaskContract {
  const errors = new Map(
    [...commonErrors, ...task.errors].map(({ errorName: name, kind, retry }) => [
      name,
      { name, kind, retry },
    ]),
  )
  return {
    name: task.name,
    ...(task.description !== undefined && { description: task.description }),
    ...(task.needs && { needs: task.needs }),
    ...(task.idempotent !== undefined && { idempotent: task.idempotent }),
    ...(task.maxSeconds !== undefined && { maxSeconds: task.maxSeconds }),
    input: jsonSchemaOf(task.input, 'input', options),
    output: jsonSchemaOf(task.output, 'output', options),
    errors: [...errors.values()],
    ...(task.routes && {
      routes: Object.fromEntries(
        Object.entries(task.routes).map(([value, route]) => [value, describeTask(route, options)]),
      ),
    }),
  }
}

/** Undefined where the schema's library cannot express it as JSON Schema. */
export function jsonSchemaOf(
  schema: StandardSchemaV1,
  side: 'input' | 'output',
  options: DescribeOptions = {},
): JsonSchema | undefined {
  const standard = schema['~standard'] as Partial<StandardJSONSchemaV1.Props>
  try {
    return standard.jsonSchema?.[side]({ target: 'draft-2020-12' }) ?? options.toJsonSchema?.(schema, side)
  } catch {
    // A type that JSON Schema has no word for, such as a Date.
    return undefined
  }
}
