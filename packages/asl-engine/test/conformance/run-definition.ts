import { checkWorkflow } from '@stepwright/asl'
import type { Case, Comparison, Diagnostic } from './corpus.ts'
import type { Result } from './report.ts'

/** What ValidateStateMachineDefinition would say. */
function diagnose(recorded: Case): readonly Diagnostic[] {
  const { definition, name } = recorded
  if (typeof definition === 'string') {
    return [{ severity: 'ERROR', code: 'INVALID_JSON_DESCRIPTION', message: '', location: '/' }]
  }
  const type = recorded.type ?? (/express/i.test(name) ? 'EXPRESS' : 'STANDARD')
  return checkWorkflow(definition, { type })
    .filter(({ rule, severity }) => rule.startsWith('valid/') && severity === 'error')
    .map(({ message, pointer }) => ({
      severity: 'ERROR',
      code: 'SCHEMA_VALIDATION_FAILED',
      message,
      location: pointer === '' ? '/' : pointer,
    }))
}

/** CreateStateMachine refuses what it was recorded to refuse, and says why in the same words. */
export function judgeCreateError(recorded: Case): Result {
  const base = { name: recorded.name, family: 'create-errors', tier: recorded.tier }
  const found = diagnose(recorded)
  const expected = recorded.expected.message ?? ''
  if (found.length === 0) {
    const problem = [`accepted, not refused: ${expected}`]
    return { ...base, core: problem, strict: problem }
  }
  const isNamed = found.some(({ message }) => expected.includes(message))
  return { ...base, core: [], strict: isNamed ? [] : [`${expected} != ${found[0]?.message}`] }
}

/** The same verdict, and strictly the same diagnostics. */
export function judgeValidation(recorded: Case, { diff }: Comparison): Result {
  const base = { name: recorded.name, family: 'validate-definition', tier: recorded.tier }
  const diagnostics = diagnose(recorded)
  const result = diagnostics.length === 0 ? 'OK' : 'FAIL'
  const { result: verdict, diagnostics: expected = [] } = recorded.expected
  const core = verdict === result ? [] : [`result: ${verdict} != ${result}`]
  const options = { wildcards: new Set(recorded.wildcards ?? []) }
  return { ...base, core, strict: [...core, ...diff(expected, diagnostics, 'diagnostics', [], options)] }
}
