import type { Json } from '@stepwright/asl'
import {
  createVirtualClock,
  type TestStateConfiguration,
  type TestStateMock,
  TestStateRefusal,
  type TestStateRequest,
  testState,
} from '../../src/index.ts'
import type { Case, Comparison, Corpus } from './corpus.ts'
import type { Result } from './report.ts'
import { account, stubbedFunctions } from './run-execution.ts'

function toRequest(recorded: Case): TestStateRequest {
  const { inspectionLevel, stateName, variables, context, mock, stateConfiguration, revealSecrets } =
    recorded.testState ?? {}
  return {
    definition: recorded.definition,
    ...(recorded.input === null ? {} : { input: recorded.input }),
    ...(inspectionLevel === undefined ? {} : { inspectionLevel }),
    ...(stateName === undefined ? {} : { stateName }),
    ...(revealSecrets === undefined ? {} : { revealSecrets }),
    ...(variables === undefined ? {} : { variables: JSON.parse(variables) }),
    ...(context === undefined ? {} : { context: JSON.parse(context) }),
    ...(mock === undefined ? {} : { mock: mock as TestStateMock }),
    ...(stateConfiguration === undefined
      ? {}
      : { stateConfiguration: stateConfiguration as TestStateConfiguration }),
    // Which role a request named was not recorded; of one that named none, the name of its test says so.
    ...(recorded.name.includes('no_role_arn') ? {} : { roleArn: `arn:aws:iam::${account}:role/test` }),
  }
}

function run(recorded: Case, comparison: Comparison) {
  return testState(toRequest(recorded), {
    clock: createVirtualClock(),
    invoke: stubbedFunctions(recorded, comparison),
    account: account,
  })
}

/** Without the words that a client puts before the service's own. */
function ownMessage(message: string | undefined): string {
  return (message ?? '').replace(/^An error occurred \(\w+\) when calling the \w+ operation: /, '')
}

export async function judgeTestState(recorded: Case, { comparison }: Corpus): Promise<Result> {
  const base = { name: recorded.name, family: 'test-state', tier: recorded.tier }
  try {
    const answer = await run(recorded, comparison)
    const renamed = JSON.parse(comparison.applyAliases(JSON.stringify(answer), recorded.aliases)) as Json
    const options = { wildcards: new Set(recorded.wildcards ?? []) }
    const strict = comparison.diff(recorded.expected, renamed, '$', [], options)
    const core = comparison.diff(recorded.expected, renamed, '$', [], {
      ...options,
      ignore: new Set(['cause', 'Cause']),
    })
    return { ...base, core, strict }
  } catch (error) {
    return { ...base, ...crash(error) }
  }
}

export async function judgeTestStateError(recorded: Case, { comparison }: Corpus): Promise<Result> {
  const base = { name: recorded.name, family: 'test-state-errors', tier: recorded.tier }
  const { error: code, message } = recorded.expected
  try {
    const answer = await run(recorded, comparison)
    const problem = [`${code}: ${message} != ${JSON.stringify(answer).slice(0, 200)}`]
    return { ...base, core: problem, strict: problem }
  } catch (error) {
    if (!(error instanceof TestStateRefusal)) return { ...base, ...crash(error) }
    const core = error.code === code ? [] : [`${code} != ${error.code}: ${error.message}`]
    const strict =
      ownMessage(message) === error.message ? core : [...core, `${ownMessage(message)} != ${error.message}`]
    return { ...base, core, strict }
  }
}

function crash(error: unknown): { core: string[]; strict: string[] } {
  const problem = [`crash: ${error instanceof Error ? error.stack : String(error)}`]
  return { core: problem, strict: problem }
}
