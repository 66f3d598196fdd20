import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonSchema } from '@stepwright/task'
import { type $ZodType, toJSONSchema } from 'zod/v4/core'

/** For schemas of `zod/mini`, which do not describe themselves. Only tools load this, never a function. */
export function zodJsonSchema(schema: StandardSchemaV1, io: 'input' | 'output'): JsonSchema | undefined {
  if (schema['~standard'].vendor !== 'zod') return undefined
  return toJSONSchema(schema as unknown as $ZodType, { io, unrepresentable: 'any' })
}
