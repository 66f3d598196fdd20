import { checkWorkflow, parseDefinition, type StateMachine } from '@stepwright/asl'
import { ApiError } from './api-error.ts'
import { parseJsonText } from './request.ts'

export interface Diagnostic {
  readonly severity: 'ERROR' | 'WARNING'
  readonly code: string
  readonly message: string
  readonly location: string
}

/** What CreateStateMachine would say about a definition; empty if it takes it. */
export function diagnose(text: string, type: 'STANDARD' | 'EXPRESS'): Diagnostic[] {
  try {
    parseJsonText(text, 'InvalidDefinition', 'definition')
  } catch (error) {
    return [
      {
        severity: 'ERROR',
        code: 'INVALID_JSON_DESCRIPTION',
        message: (error as Error).message,
        location: '/',
      },
    ]
  }
  return checkWorkflow(parseDefinition(text, { file: 'definition.json' }), { type })
    .filter(finding => finding.rule.startsWith('valid/') && finding.severity === 'error')
    .map(({ message, pointer }) => ({
      severity: 'ERROR',
      code: 'SCHEMA_VALIDATION_FAILED',
      message,
      location: pointer,
    }))
}

/** The definition, or AWS's refusal of it. */
export function acceptDefinition(text: string, type: 'STANDARD' | 'EXPRESS'): StateMachine {
  const [problem] = diagnose(text, type)
  if (problem !== undefined) {
    const where = problem.code === 'SCHEMA_VALIDATION_FAILED' ? ` at ${problem.location}` : ''
    throw new ApiError(
      'InvalidDefinition',
      `Invalid State Machine Definition: '${problem.code}: ${problem.message}${where}'`,
    )
  }
  return JSON.parse(text) as StateMachine
}
