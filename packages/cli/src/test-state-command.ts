import { resolve } from 'node:path'
import { TestStateRefusal, type TestStateRequest, testState } from '@stepwright/asl-engine'
import { type Io, UsageError } from './io.ts'
import { oneOf, refuseUnknown } from './one-of.ts'
import { readDefinition, readJson } from './read-definition.ts'
import { readOptions } from './read-options.ts'

const testStateUsage = `Usage: stepwright test-state DEFINITION STATE [options]

Runs one state, offline, as TestState of AWS does, and prints what became of the data.
A Task answers what a mock says.

Options:
  --input FILE        its input, as JSON [default: {}]
  --variables FILE    the variables that it sees, as JSON
  --context FILE      the context object, as JSON
  --result FILE       what the task answers, as JSON
  --error NAME        what the task fails with
  --cause TEXT        and why
  --level LEVEL       INFO, DEBUG or TRACE: how much is shown of the way through the state [default: DEBUG]
  --help              this text

Exit: 0 succeeded or caught, 1 failed, 2 could not run.
`

const options = {
  input: { type: 'string' },
  variables: { type: 'string' },
  context: { type: 'string' },
  result: { type: 'string' },
  error: { type: 'string' },
  cause: { type: 'string' },
  level: { type: 'string', default: 'DEBUG' },
} as const

/** Runs `stepwright test-state`; the result is its exit code. */
export async function runTestState(args: readonly string[], io: Io): Promise<0 | 1> {
  const { values, positionals } = readOptions(args, testStateUsage, options, { positionals: true })
  if (values.help) {
    io.out(testStateUsage)
    return 0
  }
  const [file, stateName] = positionals
  if (file === undefined || stateName === undefined)
    throw new UsageError(`Name a definition and a state.\n\n${testStateUsage}`)
  const definition = await readDefinition(resolve(io.cwd, file), io.cwd)
  refuseUnknown('state', stateName, Object.keys(definition.States ?? {}))
  const json = async (given: string | undefined, what: string) =>
    given === undefined ? undefined : await readJson(resolve(io.cwd, given), what)
  const [input, variables, context, result] = await Promise.all([
    json(values.input, 'input'),
    json(values.variables, 'variables'),
    json(values.context, 'context'),
    json(values.result, 'result'),
  ])
  const mock = mockOf(result, values)
  if (mock === undefined && definition.States[stateName]?.Type === 'Task')
    throw new UsageError('A Task needs an answer: --result FILE, or --error NAME.')
  const request = {
    definition,
    stateName,
    input: input ?? {},
    inspectionLevel: oneOf('--level', values.level, ['INFO', 'DEBUG', 'TRACE']),
    ...(variables !== undefined && { variables }),
    ...(context !== undefined && { context }),
    ...(mock && { mock }),
  } as TestStateRequest
  try {
    const answer = await testState(request)
    io.out(`${JSON.stringify(answer, null, 2)}\n`)
    return answer.status === 'FAILED' ? 1 : 0
  } catch (error) {
    if (error instanceof TestStateRefusal) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

function mockOf(
  result: unknown,
  { error, cause }: { readonly error?: string | undefined; readonly cause?: string | undefined },
): TestStateRequest['mock'] {
  if (result !== undefined) return { result: JSON.stringify(result) }
  if (error !== undefined) return { errorOutput: { error, ...(cause !== undefined && { cause }) } }
  return undefined
}
