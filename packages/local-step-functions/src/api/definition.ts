import type { Finding, Json, StateMachine } from '@stepwright/asl'
import { ServiceError } from '@stepwright/local-server'
import type { Diagnostic } from './diagnostic.ts'
import { repeatedLabels } from './repeated-labels.ts'
import { parseJson } from './request.ts'
import { diagnoseTransitions, isObject } from './transition-diagnostics.ts'

type Checker = Pick<
  typeof import('@stepwright/asl'),
  'checkWorkflow' | 'findVariableReferences' | 'parseDefinition'
>

let checker: Checker | undefined

/** Loads what checks definitions: half of what a server consists of, and nothing that it needs to start. */
export async function loadChecker(): Promise<void> {
  checker ??= await import('@stepwright/asl')
}

function loadedChecker(): Checker {
  if (checker === undefined) throw new Error('loadChecker() has not ended')
  return checker
}

/** The variables that the states of a definition read, once `loadChecker` has ended. */
export function variableReferencesOf(text: string): ReturnType<Checker['findVariableReferences']> {
  return loadedChecker().findVariableReferences(JSON.parse(text))
}

/** What ValidateStateMachineDefinition says about a definition, once `loadChecker` has ended; CreateStateMachine takes it if nothing is an error. */
export function diagnose(text: string, type: 'STANDARD' | 'EXPRESS'): Diagnostic[] {
  let definition: Json
  try {
    definition = parseJson(text) as Json
  } catch (error) {
    const { message } = error as Error
    return [{ severity: 'ERROR', code: 'INVALID_JSON_DESCRIPTION', message, location: '/' }]
  }
  if (definition === null) {
    const message = 'Received a null or empty workflow input'
    return [{ severity: 'ERROR', code: 'MISSING_DESCRIPTION', message, location: '/' }]
  }
  const { parseDefinition, checkWorkflow } = loadedChecker()
  const findings = checkWorkflow(parseDefinition(text, { file: 'definition.json' }), { type })
  const transitions = diagnoseTransitions(definition)
  return [
    ...findings
      .filter(({ rule, severity }) => rule.startsWith('valid/') && severity === 'error')
      .filter(finding => transitions.length === 0 || !concernsTransitions(finding))
      .map(finding => toError(finding, definition)),
    ...transitions,
    ...repeatedLabels(definition),
    ...findings
      .filter(({ rule }) => rule === 'flow/expression-as-text')
      .map(each => toWarning(each, definition)),
    ...pathsAsText(definition),
  ]
}

/** What the transitions' own diagnostics say in AWS's words. */
function concernsTransitions({ rule, message }: Finding): boolean {
  return (
    rule === 'valid/unreachable' || (rule === 'valid/transition' && /^(There is no|No) state /.test(message))
  )
}

function toError(finding: Finding, definition: Json): Diagnostic {
  const { rule, message, pointer } = finding
  const location = locationOf(pointer, definition)
  const [, name] = /\/States\/([^/]+)$/.exec(location) ?? []
  if (message.startsWith('Duplicate State name') || (rule === 'valid/duplicate-key' && name !== undefined)) {
    const duplicate = `Duplicate State name: ${name}`
    return { severity: 'ERROR', code: 'DUPLICATE_STATE_NAME', message: duplicate, location }
  }
  return { severity: 'ERROR', code: codeOf(finding), message, location }
}

function codeOf(finding: Finding): string {
  if (finding.rule === 'valid/state-name') return 'INVALID_STATE_NAME'
  if (finding.pointer.endsWith('/Label')) return 'INVALID_LABEL_NAME'
  return concernsTransitions(finding) ? 'MISSING_TRANSITION_TARGET' : 'SCHEMA_VALIDATION_FAILED'
}

function toWarning({ message, pointer }: Finding, definition: Json): Diagnostic {
  const isResult = /^(.*)\/States\/[^/]+\/Result(\/|$)/.test(pointer)
  return {
    severity: 'WARNING',
    code: isResult ? 'PASS_RESULT_IS_STATIC' : 'NO_DOLLAR',
    message,
    location: locationOf(pointer, definition),
  }
}

/** Fields of a Fail that are text, and have another field for a path. */
function pathsAsText(definition: Json): Diagnostic[] {
  const states = isObject(definition) && isObject(definition['States']) ? definition['States'] : {}
  return Object.entries(states).flatMap(([name, state]) =>
    ['Error', 'Cause'].flatMap(field => {
      const value = isObject(state) && state['Type'] === 'Fail' ? state[field] : undefined
      if (typeof value !== 'string' || !/^\$\$?[.[]/.test(value)) return []
      const message = `The value of '${field}' looks like a path; a path belongs into '${field}Path'`
      return { severity: 'WARNING', code: 'NO_PATH', message, location: `/States/${name}/${field}` }
    }),
  )
}

/** As Step Functions writes it: names as they are, indexes in brackets. */
function locationOf(pointer: string, definition: Json): string {
  if (pointer === '/') return pointer
  let at: Json | undefined = definition
  let location = ''
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    location += Array.isArray(at) ? `[${key}]` : `/${key}`
    at = (at as Record<string, Json> | undefined)?.[key]
  }
  return location
}

/** The definition, or AWS's refusal of it, which names everything. */
export function acceptDefinition(text: string, type: 'STANDARD' | 'EXPRESS'): StateMachine {
  const problems = diagnose(text, type).filter(({ severity }) => severity === 'ERROR')
  if (problems.length === 0) return JSON.parse(text) as StateMachine
  const named = problems.map(({ code, message, location = null }) => {
    const where = code === 'INVALID_JSON_DESCRIPTION' ? '' : ` at ${location}`
    return `${code}: ${message}${where}`
  })
  throw new ServiceError('InvalidDefinition', `Invalid State Machine Definition: '${named.join(', ')}'`)
}
