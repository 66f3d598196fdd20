import { toJSONSchema, type ZodType } from 'zod'
import { failurePayload, preflightOutput, transformOutput } from '../outputs.ts'
import { tableSettings } from '../table-settings.ts'
import { transformInput } from '../transform-input.ts'

/** The contract as JSON Schemas, by the names of their files in `docs/`. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    input: {
      ...describe(transformInput, 'input'),
      allOf: [
        { anyOf: [{ required: ['table_name'] }, { required: ['table'] }] },
        {
          oneOf: [
            { required: ['ds'] },
            { required: ['date_range'] },
            { required: ['source_bucket', 'source_key'] },
          ],
        },
      ],
    },
    preflight: describe(preflightOutput, 'output'),
    output: describe(transformOutput, 'output'),
    failure: describe(failurePayload, 'output'),
    'table-settings': describe(tableSettings, 'input'),
  }
}

function describe(schema: unknown, io: 'input' | 'output'): object {
  return toJSONSchema(schema as ZodType, { io, unrepresentable: 'any' })
}
