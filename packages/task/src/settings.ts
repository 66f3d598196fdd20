import type { StandardSchemaV1 } from '@standard-schema/spec'
import { UnexpectedError } from '@stepwright/errors'

/** Environment variables: `process.env`, or what a test gives. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * A function's settings from environment variables, as a schema reads them: `z.object({ TABLE_NAME: z.string(),
 * MAX_SEND_RATE: z.coerce.number().check(z.positive()) })`. An empty variable is as wrong as a missing one.
 * @throws UnexpectedError that names each wrong variable and what it must be, and never its value
 */
export function parseSettings<Settings>(
  schema: StandardSchemaV1<unknown, Settings>,
  environment: Environment = process.env,
): Settings {
  const empty = new Set<string>()
  const result = schema['~standard'].validate(withoutEmpty(environment, empty))
  if (result instanceof Promise) throw new TypeError('the schema must not be asynchronous')
  const problems = new Map<string, string>([...empty].map(name => [name, 'must not be empty']))
  for (const issue of result.issues ?? []) {
    const name = nameOf(issue)
    problems.set(name, describeProblem(issue, environment[name]))
  }
  if (result.issues === undefined && problems.size === 0) return result.value
  const list = [...problems].map(([name, problem]) => (name === '' ? problem : `${name} ${problem}`))
  throw new UnexpectedError(`wrong settings: ${list.join('; ')}`)
}

/** The variables as the schema is to see them; those that it asked for and that are empty are noted. */
function withoutEmpty(environment: Environment, empty: Set<string>): Environment {
  return new Proxy(
    { ...environment },
    {
      get(variables, name) {
        const value = Reflect.get(variables, name)
        if (value !== '') return value
        empty.add(String(name))
        return undefined
      },
    },
  )
}

function nameOf({ path = [] }: StandardSchemaV1.Issue): string {
  const [first = ''] = path
  return String(typeof first === 'object' ? first.key : first)
}

function describeProblem(issue: StandardSchemaV1.Issue, value: string | undefined): string {
  const must = requirementOf(issue)
  if (!value) return `${value === '' ? 'must not be empty' : 'is not set'}; it ${must}`
  // Some libraries quote what they were given, and it may be a secret.
  return must.replaceAll(value, '…')
}

/** What zod's issues say besides their message, which in `zod/mini` is no more than "Invalid input". */
interface ZodIssue extends StandardSchemaV1.Issue {
  readonly expected?: unknown
  readonly values?: readonly unknown[]
  readonly format?: unknown
  readonly minimum?: unknown
  readonly maximum?: unknown
}

function requirementOf(issue: StandardSchemaV1.Issue): string {
  const { message, values, format, expected, minimum, maximum } = issue as ZodIssue
  if (/^(Invalid|Too)\b/.test(message)) {
    if (values) return `must be one of ${values.join(', ')}`
    if (minimum !== undefined) return `must be at least ${minimum}`
    if (maximum !== undefined) return `must be at most ${maximum}`
    if (format ?? expected) return `must be of the kind "${format ?? expected}"`
  }
  return message.startsWith('must') ? message : `must fit: ${message}`
}
