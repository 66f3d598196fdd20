import { isPlaceholder, pseudoParameters, substitute } from '../expressions/placeholder.ts'
import { integrationProblem } from '../facts/integrations.ts'
import type { Pointer } from '../source/pointer.ts'
import type { FieldCheck, ValidityContext } from './context.ts'
import { text } from './fields.ts'

const functionSuffix = /^arn:[\w-]+:lambda:[^:]*:[^:]*:function:(.*)$/
const functionName = /^[\w-]+(:(\$LATEST|[\w-]+))?$/
const integration = /^arn:[^:]*:states:[^:]*:[^:]*:([^:.]+):(.+?)(?:\.(sync(?::2)?|waitForTaskToken))?$/

export const resource: FieldCheck = (value, pointer, context) => {
  text(value, pointer, context)
  const given = typeof value === 'string' ? substitute(value, pseudoParameters) : undefined
  if (given === undefined) return
  const wrong = (message: string): void => context.report('valid/field-value', pointer, message)
  const [, service = '', action = '', pattern] = integration.exec(given) ?? []
  if (context.express) checkExpress(service, pattern, pointer, context)
  if (service !== '' && service !== 'activity' && !isPlaceholder(service) && !isPlaceholder(action))
    checkIntegration(service, action, pattern, pointer, context)
  if (isPlaceholder(given)) return
  if (given === '') return wrong('Value cannot be empty')
  if (!given.startsWith('arn:')) return wrong(`"${given}" is not an ARN.`)
  const named = functionSuffix.exec(given)?.[1]
  if (named !== undefined && !functionName.test(named))
    wrong(`"${named}" is not the name of a function, with an alias or a version at most`)
}

function checkIntegration(
  service: string,
  action: string,
  pattern: string | undefined,
  pointer: Pointer,
  context: ValidityContext,
): void {
  const problem = integrationProblem(service, action, pattern)
  if (problem === undefined) return
  const { kind, message, suggestion } = problem
  context.report(kind === 'refused' ? 'valid/field-value' : 'names/unknown-integration', pointer, message, {
    suggestion:
      suggestion ??
      (kind === 'unknown' ? 'Check the spelling: it may be newer than that, or no longer exist.' : undefined),
  })
}

function checkExpress(
  service: string,
  pattern: string | undefined,
  pointer: Pointer,
  context: ValidityContext,
): void {
  const used =
    pattern === undefined ? undefined : pattern.startsWith('sync') ? "'.sync'" : "'.waitForTaskToken'"
  if (used !== undefined)
    context.report(
      'valid/express',
      pointer,
      `Express state machine does not support ${used} service integration `,
    )
  else if (service === 'activity')
    context.report('valid/express', pointer, 'Express state machine does not support activities')
}
