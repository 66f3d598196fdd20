import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type Environment, parseSettings } from '@stepwright/task/settings'
import { type Binding, binding } from './binding.ts'

export interface SettingOptions {
  /** What the app sets the variable to. @default none: the schema must then accept a missing value */
  readonly value?: string | number
}

/**
 * One environment variable, read with a schema: `setting('MAX_SEND_RATE', z.coerce.number(), { value: 14 })`.
 * @throws UnexpectedError for a value that the schema rejects
 */
export function setting<Value>(
  name: string,
  schema: StandardSchemaV1<unknown, Value>,
  { value }: SettingOptions = {},
): Binding<Value> {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) {
    throw new TypeError(
      `a setting's name must be capital letters, digits and "_", such as MAX_SEND_RATE; it is ${JSON.stringify(name)}`,
    )
  }
  const read = (environment: Environment): Value => parseSettings(oneOf(name, schema), environment)
  if (value !== undefined) read({ [name]: String(value) })
  const isOptional = value === undefined && accepts(schema, undefined)
  return binding({
    needs: isOptional ? {} : { variables: { [name]: value } },
    open: read,
  })
}

/** The schema of an environment whose only field that matters is this one. */
function oneOf<Value>(
  name: string,
  schema: StandardSchemaV1<unknown, Value>,
): StandardSchemaV1<unknown, Value> {
  return {
    '~standard': {
      version: 1,
      vendor: 'stepwright',
      validate(environment) {
        const result = schema['~standard'].validate((environment as Environment)[name])
        if (result instanceof Promise) throw new TypeError(`the schema of ${name} must not be asynchronous`)
        if (result.issues === undefined) return result
        return { issues: result.issues.map(issue => ({ ...issue, path: [name] })) }
      },
    },
  }
}

function accepts(schema: StandardSchemaV1, value: unknown): boolean {
  const result = schema['~standard'].validate(value)
  return !(result instanceof Promise) && result.issues === undefined
}
