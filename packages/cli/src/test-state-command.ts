import { resolve } from 'node:path'
import {
  type TestStateConfiguration,
  TestStateRefusal,
  type TestStateRequest,
  testState,
} from '@stepwright/asl-engine'
import { type Io, UsageError } from './io.ts'
import { oneOf, refuseUnknown } from './one-of.ts'
import { readDefinition, readJsonOption } from './read-definition.ts'
import { readOptions } from './read-options.ts'
import { statesByName } from './state-nodes.ts'

const testStateUsage = `Usage: stepwright test-state DEFINITION STATE [options]

Runs one state, offline, as TestState of AWS does, and prints what became of the data. A state
inside a Map or a Parallel is found by its name too. A Task answers what a mock says. JSON is
given as a file, or as it is: --input '{"id":1}'.

Options:
  --input FILE        its input [default: {}]
  --variables FILE    the variables that it sees
  --context FILE      the context object
  --result FILE       what the task answers
  --error NAME        what the task fails with
  --cause TEXT        and why
  --validation MODE   STRICT, PRESENT or NONE: how --result is held to what the service answers [default: STRICT]
  --retries N         how often the failure was retried already
  --failed-items N    how many items of a Map failed
  --reader-data FILE  what the ItemReader of a Map read
  --caused-by STATE   the state inside of a Map or Parallel that failed
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
  validation: { type: 'string' },
  retries: { type: 'string' },
  'failed-items': { type: 'string' },
  'reader-data': { type: 'string' },
  'caused-by': { type: 'string' },
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
  const states = statesByName(definition)
  refuseUnknown('state', stateName, [...states.keys()])
  const json = async (given: string | undefined, what: string) =>
    given === undefined ? undefined : await readJsonOption(given, what, io.cwd)
  const [input, variables, context, result, readerData] = await Promise.all([
    json(values.input, 'input'),
    json(values.variables, 'variables'),
    json(values.context, 'context'),
    json(values.result, 'result'),
    json(values['reader-data'], 'reader data'),
  ])
  const mock = mockOf(result, values)
  const stateConfiguration = configurationOf(values, readerData)
  if (mock === undefined && states.get(stateName)?.Type === 'Task')
    throw new UsageError('A Task needs an answer: --result FILE, or --error NAME.')
  const request = {
    definition,
    stateName,
    input: input ?? {},
    inspectionLevel: oneOf('--level', values.level, ['INFO', 'DEBUG', 'TRACE']),
    ...(variables !== undefined && { variables }),
    ...(context !== undefined && { context }),
    ...(mock && { mock }),
    ...(Object.keys(stateConfiguration).length > 0 && { stateConfiguration }),
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

type Values = { readonly [name in keyof typeof options]?: string | undefined }

function configurationOf(values: Values, readerData: unknown): TestStateConfiguration {
  const retrierRetryCount = countOf('--retries', values.retries)
  const mapIterationFailureCount = countOf('--failed-items', values['failed-items'])
  const errorCausedByState = values['caused-by']
  return {
    ...(retrierRetryCount !== undefined && { retrierRetryCount }),
    ...(mapIterationFailureCount !== undefined && { mapIterationFailureCount }),
    ...(errorCausedByState !== undefined && { errorCausedByState }),
    ...(readerData !== undefined && { mapItemReaderData: JSON.stringify(readerData) }),
  }
}

function countOf(option: string, given: string | undefined): number | undefined {
  if (given === undefined || /^\d+$/.test(given)) return given === undefined ? undefined : Number(given)
  throw new UsageError(`${option} is a whole number, not "${given}".`)
}

function mockOf(result: unknown, { error, cause, validation }: Values): TestStateRequest['mock'] {
  if (result !== undefined) {
    const fieldValidationMode =
      validation === undefined ? undefined : oneOf('--validation', validation, ['STRICT', 'PRESENT', 'NONE'])
    return { result: JSON.stringify(result), ...(fieldValidationMode && { fieldValidationMode }) }
  }
  if (error !== undefined) return { errorOutput: { error, ...(cause !== undefined && { cause }) } }
  return undefined
}
