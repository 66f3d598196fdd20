import type { BusEvent } from './event.ts'
import type { Target } from './rule.ts'

export interface RuleReference {
  readonly name: string
  readonly arn: string
}

/** What a target gets of an event, as a text: the event, a part of it, a constant, or a template filled in. */
export function targetInput(target: Target, event: BusEvent, rule: RuleReference): string {
  const { Input, InputPath, InputTransformer } = target
  if (Input !== undefined) return Input
  if (InputPath !== undefined) return JSON.stringify(valueAt(event, InputPath) ?? null)
  if (InputTransformer === undefined) return JSON.stringify(event)
  const { InputPathsMap = {}, InputTemplate } = InputTransformer
  const values = new Map<string, unknown>(
    Object.entries(InputPathsMap).map(([name, path]) => [name, valueAt(event, path)]),
  )
  values.set('aws.events.rule-name', rule.name)
  values.set('aws.events.rule-arn', rule.arn)
  values.set('aws.events.event', { ...event, detail: undefined })
  values.set('aws.events.event.json', event)
  values.set('aws.events.event.ingestion-time', event.time)
  return fill(InputTemplate, values)
}

/** `<name>` stands for a value: inside quotes as a text, elsewhere as JSON. What was not found is left out. */
function fill(template: string, values: ReadonlyMap<string, unknown>): string {
  let isQuoted = false
  return template.replaceAll(/\\.|"|<([\w.-]+)>/gs, (found, name: string | undefined) => {
    if (found === '"') isQuoted = !isQuoted
    if (name === undefined || !values.has(name)) return found
    const value = values.get(name)
    if (value === undefined) return ''
    const text = typeof value === 'string' && !isJsonTemplate(template) ? value : JSON.stringify(value)
    if (!isQuoted) return text
    // A text in a text needs no quotes of its own, and an object there is written as it is.
    return JSON.stringify(typeof value === 'string' ? value : JSON.stringify(value)).slice(1, -1)
  })
}

function isJsonTemplate(template: string): boolean {
  return /^\s*[{["<]/.test(template)
}

/** `$.detail.parts[0].name`: the paths that EventBridge takes. */
function valueAt(event: unknown, path: string): unknown {
  const steps = path.replace(/^\$\.?/, '').match(/[^.[\]'"]+/g) ?? []
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Readonly<Record<string, unknown>>)[step]
        : undefined,
    event,
  )
}
