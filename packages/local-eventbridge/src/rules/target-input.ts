import type { BusEvent } from './event.ts'
import { parseInputPath, valueAt } from './input-path.ts'
import type { Target } from './rule.ts'

export interface RuleReference {
  readonly name: string
  readonly arn: string
}

/** What a target gets of an event, as a text: the event, a part of it, a constant, or a template filled in. */
export function targetInput(target: Target, event: BusEvent, rule: RuleReference): string {
  const { Input, InputPath, InputTransformer } = target
  if (Input !== undefined) return Input
  if (InputPath !== undefined) return JSON.stringify(find(event, InputPath) ?? null)
  if (InputTransformer === undefined) return JSON.stringify(event)
  const { InputPathsMap = {}, InputTemplate } = InputTransformer
  const values = new Map<string, unknown>(
    Object.entries(InputPathsMap).map(([name, path]) => [name, find(event, path)]),
  )
  const { detail: _, 'detail-type': detailType, ...rest } = event
  values.set('aws.events.rule-name', rule.name)
  values.set('aws.events.rule-arn', rule.arn)
  values.set('aws.events.event', { ...rest, detailType })
  values.set('aws.events.event.json', event)
  values.set('aws.events.event.ingestion-time', event.time)
  return fill(InputTemplate, values)
}

const reservedNames = [
  ...['aws.events.rule-name', 'aws.events.rule-arn', 'aws.events.event', 'aws.events.event.json'],
  'aws.events.event.ingestion-time',
]
const placeholder = /\\.|"|<([\w.-]+)>/gs

/** A name in the template that stands for nothing. */
export function unknownPlaceholder(template: string, names: readonly string[]): string | undefined {
  const known = new Set([...names, ...reservedNames])
  return [...template.matchAll(placeholder)]
    .map(([, name]) => name)
    .find(name => name !== undefined && !known.has(name))
}

/** `<name>` stands for a value: inside quotes as a text, elsewhere as JSON. What was not found is an empty text. */
function fill(template: string, values: ReadonlyMap<string, unknown>): string {
  const isJson = /^\s*[{["<]/.test(template)
  let isQuoted = false
  return template.replaceAll(placeholder, (found, name: string | undefined) => {
    if (found === '"') isQuoted = !isQuoted
    if (name === undefined || !values.has(name)) return found
    const value = values.get(name) ?? (values.get(name) === null ? null : '')
    if (isQuoted) return insideText(value)
    return typeof value === 'string' && !isJson ? value : JSON.stringify(value)
  })
}

/** A text needs no quotes of its own; lists and objects lose theirs, as EventBridge does not escape them. */
function insideText(value: unknown): string {
  const json = JSON.stringify(value)
  if (typeof value === 'string') return json.slice(1, -1)
  return json.replaceAll(/\\.|"/g, found => (found.endsWith('"') ? '' : found))
}

function find(event: BusEvent, path: string): unknown {
  return valueAt(event, parseInputPath(path) ?? [])
}
