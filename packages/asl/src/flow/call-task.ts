import type { TaskContract } from '@stepwright/task'
import { optimizedResults } from '../facts/results.ts'
import { isObject } from '../json.ts'
import type { StateNode } from '../machine/machine.ts'
import { integrationOf } from '../machine/resource.ts'
import { under } from '../source/pointer.ts'
import { type TransferContext, templateOrigin } from './arrival.ts'
import type { Environment } from './environment.ts'
import { evaluateTemplate } from './evaluate-template.ts'
import { always, type Field, type Origin, objectOf, ofType, type Shape, unknown } from './shape.ts'
import { shapeOfSchema } from './shape-of-schema.ts'

export function callTask(
  state: StateNode,
  argument: Shape,
  environment: Environment,
  context: TransferContext,
  field: 'Parameters' | 'Arguments',
): Shape {
  const { kind, wait, service, action } = integrationOf(state.fields['Resource'])
  const credentials = state.fields['Credentials']
  if (isObject(credentials) && field === 'Parameters') {
    evaluateTemplate(
      credentials,
      under(state.pointer, 'Credentials'),
      environment,
      templateOrigin(state, 'Credentials'),
    )
  }
  const contract = context.findContract(state)
  const output = contract === undefined ? unknown : outputOf(contract)
  const given = state.fields[field] === undefined ? state.pointer : under(state.pointer, field)
  if (kind !== 'lambda-invoke') {
    context.onCall?.(state, argument, given)
    if (contract === undefined && kind === 'service' && wait === 'response')
      return serviceResult(service, action)
    return wait === 'response' || kind === 'activity' ? output : unknown
  }
  const payload = argument.kind === 'known' ? argument.object?.fields.get('Payload') : undefined
  if (payload?.presence === 'always') context.onCall?.(state, payload.shape, under(given, 'Payload'))
  return wait === 'callback' ? unknown : invokeResult(output)
}

const outputs = new WeakMap<TaskContract, Shape>()

/** What a task's output schema promises. */
export function outputOf(contract: TaskContract): Shape {
  const known = outputs.get(contract)
  if (known !== undefined) return known
  const shape = shapeOfSchema(contract.output, {
    kind: 'schema',
    text: `the output schema of "${contract.name}"`,
  })
  outputs.set(contract, shape)
  return shape
}

const requestOrigin: Origin = { kind: 'other', text: 'what is told of the request' }

/** What every answer tells of the request; which headers there are is not known. */
const requestFields: readonly (readonly [string, Field])[] = [
  [
    'SdkHttpMetadata',
    always(
      objectOf(
        new Map([
          ['AllHttpHeaders', always(unknown)],
          ['HttpHeaders', always(unknown)],
          ['HttpStatusCode', always(ofType('number'))],
        ]),
        requestOrigin,
        'maybe',
      ),
    ),
  ],
  [
    'SdkResponseMetadata',
    always(objectOf(new Map([['RequestId', always(ofType('string'))]]), requestOrigin, 'maybe')),
  ],
]

/** What a service answers, where it is known; every answer also tells of the request itself. */
function serviceResult(service: string, action: string): Shape {
  const result = optimizedResults[`${service}:${action}`]
  if (result === undefined) return unknown
  const origin: Origin = { kind: 'other', text: `the result of ${service}:${action}` }
  return objectOf(
    new Map<string, Field>([
      ...Object.entries(result).map(([name, presence]): [string, Field] => [
        name,
        { shape: unknown, presence, ...(presence === 'sometimes' && { missing: origin }) },
      ]),
      ...requestFields,
    ]),
    origin,
  )
}

const invokeOrigin: Origin = { kind: 'other', text: 'the result of lambda:invoke' }

/** There is nothing else in it: what the function returned is in Payload. */
function invokeResult(payload: Shape): Shape {
  return objectOf(
    new Map<string, Field>([
      ['ExecutedVersion', always(ofType('string'))],
      ['LogResult', { shape: ofType('string'), presence: 'sometimes', missing: invokeOrigin }],
      ['Payload', always(payload)],
      ...requestFields,
      ['StatusCode', always(ofType('number'))],
    ]),
    invokeOrigin,
  )
}
