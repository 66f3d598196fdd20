import { type ServiceCall, TaskFailure } from '@stepwright/asl-engine'
import type { IntegratedService, SdkAnswer } from './sdk-clients.ts'
import { toOptimisedResult, withBytes } from './sdk-values.ts'

type Fields = Readonly<Record<string, unknown>>

/** An integration that Step Functions has a resource of its own for: `arn:aws:states:::sqs:sendMessage`. */
export interface Optimised {
  readonly service: IntegratedService
  readonly action: string
  parameters(parameters: Fields, call: ServiceCall): unknown
  /** The result, without what every result has. @throws TaskFailure for an answer that counts as a failure */
  result(output: Fields): unknown
}

function dynamoDb(action: string): Optimised {
  return { service: 'dynamodb', action, parameters: withBytes, result: toOptimisedResult }
}

export const optimised: Readonly<Record<string, Optimised>> = {
  'dynamodb:getItem': dynamoDb('getItem'),
  'dynamodb:putItem': dynamoDb('putItem'),
  'dynamodb:updateItem': dynamoDb('updateItem'),
  'dynamodb:deleteItem': dynamoDb('deleteItem'),
  'sqs:sendMessage': {
    service: 'sqs',
    action: 'sendMessage',
    parameters: given => withText(given, 'MessageBody'),
    result: output => output,
  },
  'sns:publish': {
    service: 'sns',
    action: 'publish',
    parameters: given => withText(given, 'Message'),
    result: output => output,
  },
  'events:putEvents': {
    service: 'eventbridge',
    action: 'putEvents',
    parameters: (given, call) => ({
      ...given,
      Entries: (Array.isArray(given['Entries']) ? given['Entries'] : []).map(entry => toEntry(entry, call)),
    }),
    result(output) {
      const { Entries, FailedEntryCount } = output
      if (FailedEntryCount === 0) return output
      throw new TaskFailure('EventBridge.FailedEntry', JSON.stringify({ Entries, FailedEntryCount }))
    },
  },
}

/** What the result of every optimised integration tells of the call itself. */
export function metadataOf({ headers }: SdkAnswer, requestId: string, status: number): object {
  const all = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  return {
    SdkHttpMetadata: { AllHttpHeaders: all, HttpHeaders: headers, HttpStatusCode: status },
    SdkResponseMetadata: { RequestId: requestId },
  }
}

/** What is sent may be JSON, and is sent as its text. */
function withText(given: Fields, name: string): Fields {
  const value = given[name]
  return value === undefined || typeof value === 'string'
    ? given
    : { ...given, [name]: JSON.stringify(value) }
}

/** An event says which execution sent it. */
function toEntry(entry: Fields, { executionArn, stateMachineArn }: ServiceCall): Fields {
  const { Resources, Time } = entry
  return {
    ...withText(entry, 'Detail'),
    Resources: [...(Array.isArray(Resources) ? Resources : []), executionArn, stateMachineArn],
    ...(typeof Time === 'string' && { Time: new Date(Time) }),
  }
}
