import type { StateMachine } from '@stepwright/asl'
import { isArray, isObject, type Json } from '../json.ts'
import type { RecordedCall, RecordedExecution } from './recorded-execution.ts'

export interface ReplayTestOptions {
  readonly definition: StateMachine
  /** Where the definition is, relative to the test. */
  readonly definitionPath: string
  /** What the test is called. */
  readonly title: string
  /** Hides texts that the definition does not speak of: letters become x, digits 9. @default false */
  readonly redact?: boolean
  /** `succeeded` fails until the workflow is fixed; `recorded` holds on to what happened. @default 'recorded' */
  readonly expect?: 'recorded' | 'succeeded'
}

/** A Vitest test that runs what was recorded, as source text. */
export function printReplayTest(
  { input, startTime, calls, mapRuns, path, status, error }: RecordedExecution,
  { definition, definitionPath, title, redact = false, expect = 'recorded' }: ReplayTestOptions,
): string {
  const hide = redact ? createHider(definition) : (value: Json) => value
  const hideCall = (call: RecordedCall): Json =>
    Object.fromEntries(
      Object.entries(call).map(([name, value]) => [name, dataFields.has(name) ? hide(value) : value]),
    )
  const recorded = {
    input: hide(input),
    ...(startTime !== undefined && { startTime }),
    calls: calls.map(hideCall),
    ...(mapRuns.length > 0 && { mapRuns: mapRuns.map(hideCall) }),
  }
  const isFix = expect === 'succeeded'
  const expected = isFix ? { status: 'SUCCEEDED' } : { status, ...(error !== undefined && { error }), path }
  const isJson = definitionPath.endsWith('.json')
  const text = `await readFile(new URL(${quote(definitionPath)}, import.meta.url), 'utf8')`
  return `import { readFile } from 'node:fs/promises'
${isJson ? '' : "import { parseDefinition } from '@stepwright/asl'\n"}import { runRecorded } from '@stepwright/asl-engine/testing'
import { expect, it } from 'vitest'

const definition = ${isJson ? `JSON.parse(${text})` : `parseDefinition(${text}, { file: ${quote(definitionPath)} }).value as never`}

/** What was recorded: the input, and what the tasks answered. */
const recorded = ${print(recorded as unknown as Json)}

it(${quote(title)}, async () => {
  // To run a task of yours in the place of what was recorded, name its state: { tasks: { Reserve: bind(reserve, ports) } }
  const run = await runRecorded(definition, recorded)
  expect(run).toMatchObject(${print(expected as unknown as Json)})
})
`
}

/** Fields of a call that hold data. */
const dataFields: ReadonlySet<string> = new Set(['input', 'submitted', 'output', 'cause', 'assigned'])

function print(value: Json): string {
  return JSON.stringify(value, null, 2)
}

function quote(text: string): string {
  return JSON.stringify(text)
}

/** What a Wait or a Choice can only read as it is. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** Texts of the definition decide where an execution goes: they stay. */
function createHider(definition: StateMachine): (value: Json) => Json {
  const spoken = new Set<string>()
  collectTexts(definition as unknown as Json, spoken)
  const hide = (value: Json): Json => {
    if (typeof value === 'string') return spoken.has(value) || timestamp.test(value) ? value : mask(value)
    if (isArray(value)) return value.map(hide)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hide(item)]))
  }
  return hide
}

function mask(text: string): string {
  return text.replaceAll(/\p{L}/gu, 'x').replaceAll(/\p{N}/gu, '9')
}

function collectTexts(value: Json, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value)
  else if (isArray(value)) for (const item of value) collectTexts(item, texts)
  else if (isObject(value)) for (const item of Object.values(value)) collectTexts(item, texts)
}
