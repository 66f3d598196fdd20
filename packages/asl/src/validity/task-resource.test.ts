import { describe, expect, it } from 'vitest'
import { checkWorkflow } from '../index.ts'

function refusals(state: object, type: 'STANDARD' | 'EXPRESS' = 'STANDARD'): readonly string[] {
  return checkWorkflow(
    { StartAt: 'A', TimeoutSeconds: 9, States: { A: { Type: 'Task', End: true, ...state } } },
    { type },
  )
    .filter(({ rule }) => rule.startsWith('valid/'))
    .map(({ message }) => message)
}

describe('resources that Step Functions refuses', () => {
  it.each([
    ['arn:aws:states:::dynamodb:query', 'dynamodb:query is no optimized integration'],
    ['arn:aws:states:::dynamodb:putItm', 'dynamodb:putItm is no optimized integration'],
    ['arn:aws:states:::sqs:sendMessage.sync', 'sqs:sendMessage cannot be waited for with .sync'],
    ['arn:aws:states:::aws-sdk:s3:getObject.sync', 'An AWS SDK integration cannot be waited for'],
    ['foo', '"foo" is not an ARN'],
  ])('%s', (Resource, message) => {
    expect(refusals({ Resource })).toEqual([expect.stringContaining(message)])
  })

  it.each([
    'arn:aws:states:::dynamodb:putItem',
    'arn:aws:states:::aws-sdk:dynamodb:query',
    'arn:aws:states:::states:startExecution.sync:2',
    'arn:aws:states:::ecs:runTask.waitForTaskToken',
    'arn:aws:states:::glue:startJobRun.sync',
    'arn:aws:states:::http:invoke',
    'arn:aws:states:eu-west-1:123456789012:activity:approve',
    `arn:\${AWS::Partition}:states:::sns:publish`,
    `arn:\${partition}:states:::sns:publish`,
    `\${FunctionArn}`,
  ])('accepts %s', Resource => expect(refusals({ Resource })).toEqual([]))

  it('refuses activities in Express workflows', () => {
    const Resource = 'arn:aws:states:eu-west-1:123456789012:activity:approve'
    expect(refusals({ Resource }, 'EXPRESS')).toEqual(['Express state machine does not support activities'])
  })

  it('takes a role as Credentials, and nothing else', () => {
    const Resource = 'arn:aws:states:::sns:publish'
    expect(refusals({ Resource, Credentials: { RoleArn: 'arn:aws:iam::1:role/r' } })).toEqual([])
    expect(refusals({ Resource, Credentials: { 'RoleArn.$': '$.role' } })).toEqual([])
    expect(refusals({ Resource, Credentials: { RoleArn: 'x', Extra: 1 } })).toHaveLength(1)
  })
})

describe('fields of an inline Map', () => {
  const processor = { StartAt: 'B', States: { B: { Type: 'Pass', End: true } } }
  it('are not those of a Distributed Map', () => {
    const reader = { Resource: 'arn:aws:states:::s3:getObject', Parameters: { Bucket: 'b', Key: 'k' } }
    expect(refusals({ Type: 'Map', ItemProcessor: processor, ItemReader: reader })).toEqual([
      expect.stringContaining('DISTRIBUTED'),
    ])
    const ItemProcessor = {
      ...processor,
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    }
    expect(refusals({ Type: 'Map', ItemProcessor, ItemReader: reader })).toEqual([])
  })

  it('have no query language for the processor as a whole', () => {
    const ItemProcessor = { ...processor, QueryLanguage: 'JSONPath' }
    expect(refusals({ Type: 'Map', ItemProcessor })).toEqual([
      "The field 'QueryLanguage' is not supported here",
    ])
  })
})
