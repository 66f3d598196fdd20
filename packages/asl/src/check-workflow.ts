import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type JsonSchema, jsonSchemaOf } from '@stepwright/task'
import { checkExecutionNames } from './checks/execution-name.ts'
import { checkTexts } from './checks/expression-as-text.ts'
import { checkFlow } from './checks/flow.ts'
import { checkKinds } from './checks/kinds.ts'
import { checkLimits } from './checks/limits.ts'
import { checkNames } from './checks/names.ts'
import { createFindRaised } from './checks/raised.ts'
import { checkRoutes } from './checks/routes.ts'
import { checkSchemas } from './checks/schemas.ts'
import {
  createFindContract,
  type DescribeOptions,
  type ErrorLike,
  findUnreadable,
  type Tasks,
  toErrorContract,
} from './contract/contract.ts'
import { catchExhaustedByDefault } from './contract/retry.ts'
import { maxDefinitionCharacters } from './facts/limits.ts'
import { createFindings, type Finding } from './finding.ts'
import type { JsonObject } from './language.ts'
import { buildMachine } from './machine/machine.ts'
import { parseDefinition } from './source/parse-definition.ts'
import type { Source } from './source/source.ts'
import { sourceOfValue } from './source/source-of-value.ts'
import { checkValidity } from './validity/check-machine.ts'

export interface CheckOptions {
  /** The tasks that the states call, by the name of the state or of the function. */
  readonly tasks?: Tasks
  /** All errors that the project knows; names that are none of them are then reported. */
  readonly errors?: readonly ErrorLike[]
  /** What the execution is started with: a JSON Schema, or a Standard Schema that can tell its own. */
  readonly input?: JsonSchema | StandardSchemaV1
  /**
   * For schemas that cannot tell their JSON Schema, such as those of `zod/mini`:
   * `(schema, io) => z.toJSONSchema(schema, { io })`.
   */
  readonly toJsonSchema?: DescribeOptions['toJsonSchema']
  /**
   * Whether a retryable error that outlasts its retries must be caught as well. Where it is not, the execution fails
   * at that state, and a redrive goes on there; a redrive of a Fail state fails again. @default false
   */
  readonly catchExhausted?: boolean
  /** What CreateStateMachine will be told. @default 'STANDARD' */
  readonly type?: 'STANDARD' | 'EXPRESS'
  /** The name in findings, where the definition is not a parsed source. @default 'definition' */
  readonly file?: string
}

/** Terraform's `%{ for … }` and `%{ if … }`. */
const directives = /%\{~?\s*(?:if|for|else|endif|endfor)\b[^}]*\}?/

/** Checks a definition: an object, its text, or what `parseDefinition` made of its text. */
export function checkWorkflow(definition: unknown, options: CheckOptions = {}): Finding[] {
  const { type = 'STANDARD', file = 'definition' } = options
  const source = toSource(definition, file)
  const { report, sorted } = createFindings(source)
  const directive = source.broken ? directives.exec(source.text) : null
  if (directive !== null) {
    report(
      'valid/unread',
      [],
      'The file is a template with directives: what they make of it is not known here.',
      {
        location: source.place(directive.index, directive.index + directive[0].length),
        suggestion: 'Render it, and check the result.',
      },
    )
    return sorted()
  }
  for (const { kind, message, pointer, location } of source.problems) {
    report(kind === 'syntax' ? 'valid/syntax' : 'valid/duplicate-key', pointer, message, { location })
  }
  const size = source.text.length > maxDefinitionCharacters ? sizeOf(source) : 0
  if (size > maxDefinitionCharacters) {
    report('valid/size', [], `A definition has at most ${maxDefinitionCharacters} characters, not ${size}.`)
  }
  if (source.broken) return sorted()
  checkValidity(source.value, { report, express: type === 'EXPRESS' })
  const machine = buildMachine(source.value)
  if (machine === undefined) return sorted()
  const describe = describeOptionsOf(options)
  const findContract = createFindContract(options.tasks, describe)
  const findRaised = createFindRaised(findContract)
  const context = { machine, report, findContract, errors: options.errors?.map(toErrorContract) }
  checkNames(context, findRaised)
  checkKinds(context, findRaised)
  checkRoutes(context, findRaised, options.catchExhausted ?? catchExhaustedByDefault)
  checkExecutionNames(context)
  checkTexts(context)
  const input = readInputSchema(options)
  checkSchemas(
    context,
    findUnreadable(options.tasks, describe),
    options.input !== undefined && input === undefined,
  )
  const facts = checkFlow(context, input)
  checkLimits(context, facts, source.value as JsonObject, { express: type === 'EXPRESS' })
  return sorted()
}

/** White space of a text that was not read to its end counts; that of a definition does not have to be sent. */
function sizeOf(source: Source): number {
  return source.broken ? source.text.length : JSON.stringify(source.value).length
}

function toSource(definition: unknown, file: string): Source {
  if (typeof definition === 'string') return parseDefinition(definition, { file })
  return isSource(definition) ? definition : sourceOfValue(definition, file)
}

function isSource(value: unknown): value is Source {
  return (
    typeof value === 'object' && value !== null && 'locate' in value && typeof value.locate === 'function'
  )
}

/** What the execution is started with; undefined where its schema cannot tell. */
export function readInputSchema(options: CheckOptions): JsonSchema | undefined {
  const { input } = options
  if (input === undefined || !('~standard' in input)) return input
  return jsonSchemaOf(input as StandardSchemaV1, 'input', describeOptionsOf(options))
}

export function describeOptionsOf({ toJsonSchema }: CheckOptions): DescribeOptions {
  return toJsonSchema ? { toJsonSchema } : {}
}
