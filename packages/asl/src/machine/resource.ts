import { pseudoParameters, substitute } from '../expressions/placeholder.ts'
import { parseResource } from '../expressions/resource.ts'
import { isObject } from '../json.ts'
import type { Json, JsonObject } from '../language.ts'
import { remember } from '../remember.ts'
import type { StateNode } from './machine.ts'

/** What a Task calls, and how it waits for it. */
export interface Integration {
  readonly kind: 'lambda-arn' | 'lambda-invoke' | 'service' | 'sdk' | 'activity' | 'http' | 'unknown'
  /** As ARNs write it: `lambda`, `dynamodb`, `s3`. */
  readonly service: string
  readonly action: string
  readonly wait: 'response' | 'sync' | 'callback'
}

const unknown: Integration = { kind: 'unknown', service: '', action: '', wait: 'response' }

export function integrationOf(resource: Json | undefined): Integration {
  return typeof resource === 'string' ? readResource(resource) : unknown
}

const waits = { request: 'response', sync: 'sync', 'sync:2': 'sync', waitForTaskToken: 'callback' } as const

const readResource = remember((written: string): Integration => {
  const resource = parseResource(substitute(written, pseudoParameters))
  if (resource.kind === 'activity')
    return { kind: 'activity', service: 'states', action: 'activity', wait: 'callback' }
  if (resource.kind === 'function') {
    const isFunction = /^arn:[^:]*:lambda:/.test(resource.arn)
    return isFunction
      ? { kind: 'lambda-arn', service: 'lambda', action: 'invoke', wait: 'response' }
      : unknown
  }
  const { service, action } = resource
  const wait = waits[resource.pattern]
  if (service.startsWith('aws-sdk:')) return { kind: 'sdk', service: service.slice(8), action, wait }
  const kind = service === 'lambda' ? 'lambda-invoke' : service === 'http' ? 'http' : 'service'
  return { kind, service, action, wait }
})

export function isLambda(state: StateNode): boolean {
  const { kind } = integrationOf(state.fields['Resource'])
  return state.type === 'Task' && (kind === 'lambda-arn' || kind === 'lambda-invoke')
}

/** What a Task is called with before any templating: Parameters or Arguments. */
export function argumentsOf(state: StateNode): JsonObject | undefined {
  const given = state.fields[state.language === 'JSONata' ? 'Arguments' : 'Parameters']
  return isObject(given) ? given : undefined
}

/** The function's name or placeholder, without ARN parts, version or alias. */
export function functionNameOf(state: StateNode): string | undefined {
  const resource = state.fields['Resource']
  const { kind } = integrationOf(resource)
  const given = kind === 'lambda-invoke' ? argumentsOf(state)?.['FunctionName'] : resource
  if (typeof given !== 'string') return undefined
  const placeholder = /^\$\{([^}]+)\}(?::.*)?$/.exec(given)?.[1]
  if (placeholder !== undefined) return placeholder
  const arn = /:function:([^:]+)/.exec(given)?.[1]
  return arn ?? (kind === 'lambda-invoke' ? given.split(':')[0] : undefined)
}

/** What the function behind a Task receives, before any templating. */
export function payloadOf(state: StateNode): JsonObject | undefined {
  const given = argumentsOf(state)
  if (integrationOf(state.fields['Resource']).kind !== 'lambda-invoke') return given
  const payload = given?.['Payload']
  return isObject(payload) ? payload : undefined
}
