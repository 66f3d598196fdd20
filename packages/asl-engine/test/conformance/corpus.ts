import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Json, StateMachine } from '@stepwright/asl'

/** One recorded case, as the corpus lays it out. */
export interface Case {
  readonly name: string
  readonly family: string
  readonly tier: string
  readonly type?: 'STANDARD' | 'EXPRESS'
  readonly definition: StateMachine
  readonly input: Json
  readonly lambdas?: Readonly<Record<string, LambdaStub>>
  readonly s3?: readonly { readonly bucket: string; readonly key: string; readonly body: string }[]
  readonly aliases?: readonly (readonly [string, string])[]
  readonly wildcards?: readonly string[]
  readonly capturedAt?: string
  readonly testState?: TestStateRequest
  readonly expected: Expected
}

export interface LambdaStub {
  readonly kind: string
}

export interface TestStateRequest {
  readonly inspectionLevel?: 'INFO' | 'DEBUG' | 'TRACE'
  readonly stateName?: string
  readonly variables?: string
  readonly context?: string
  readonly mock?: Json
  readonly stateConfiguration?: Json
  readonly revealSecrets?: boolean
}

export interface Expected {
  readonly status: string
  readonly output?: Json
  readonly error?: string
  readonly cause?: Json
  readonly message?: string
  readonly nextState?: string
  readonly inspectionData?: Json
  readonly events?: readonly RecordedEvent[]
  /** Of ValidateStateMachineDefinition. */
  readonly result?: 'OK' | 'FAIL'
  readonly diagnostics?: readonly Diagnostic[]
}

export interface Diagnostic {
  readonly severity: string
  readonly code: string
  readonly message: string
  readonly location: string
}

export interface RecordedEvent {
  readonly id: number | readonly number[]
  readonly previousEventId: number
  readonly type: string
  readonly [details: string]: unknown
}

export interface Outcome {
  readonly status: string
  readonly output?: Json
  readonly error?: string | undefined
  readonly cause?: string | undefined
}

/** The corpus's own comparison. */
export interface Comparison {
  readonly compareOutcome: (case_: Case, outcome: Outcome) => { core: string[]; strict: string[] }
  readonly diff: (
    expected: unknown,
    actual: unknown,
    path: string,
    out: string[],
    options: { wildcards?: ReadonlySet<string>; ignore?: ReadonlySet<string> },
  ) => string[]
  readonly applyAliases: (text: string, aliases: Case['aliases']) => string
  readonly runStub: (
    stub: LambdaStub,
    event: Json,
    sleep: (seconds: number) => Promise<void>,
  ) => Promise<unknown>
}

export interface Corpus {
  readonly comparison: Comparison
  readonly executions: readonly Case[]
  readonly testStates: readonly Case[]
  readonly testStateErrors: readonly Case[]
  readonly createErrors: readonly Case[]
  readonly validations: readonly Case[]
}

export async function loadCorpus(directory: string): Promise<Corpus> {
  const root = resolve(directory)
  const executions = join(root, 'executions')
  if (!existsSync(executions))
    throw new Error(`${directory} holds no corpus: there is no 'executions' directory in it`)
  return {
    comparison: await import(pathToFileURL(join(root, 'compare.mjs')).href),
    executions: readdirSync(executions)
      .filter(file => file.endsWith('.json'))
      .sort()
      .flatMap(file =>
        readCases(join(executions, file)).map(entry => ({ ...entry, family: file.slice(0, -5) })),
      ),
    testStates: readCases(join(root, 'test-state.json')),
    testStateErrors: readCases(join(root, 'test-state-errors.json')),
    createErrors: readCases(join(root, 'create-errors.json')),
    validations: readCases(join(root, 'validate-definition.json')),
  }
}

function readCases(file: string): Case[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}
