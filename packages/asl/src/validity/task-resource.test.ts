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
    ['arn:aws:states:::lamda:invoke', 'There is no optimized integration "lamda"'],
    ['arn:aws:states:::stepfunctions:startExecution', 'There is no optimized integration "stepfunctions"'],
    ['arn:aws:states:::aws-sdk:dynamodb:putItm', 'dynamodb has no action "putItm"'],
    ['arn:aws:states:::aws-sdk:lambda:Invoke', 'lambda has no action "Invoke"'],
    ['arn:aws:states:::aws-sdk:dynamdb:putItem', 'The AWS SDK has no service "dynamdb"'],
    ['arn:aws:states:::bedrockagentcore:invokeHarness.sync', 'cannot be waited for with .sync'],
    [`arn:\${Partition}:states:::lamda:invoke`, 'There is no optimized integration "lamda"'],
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
    'arn:aws:states:::bedrock:invokeModel.waitForTaskToken',
    'arn:aws:states:::bedrockagentcore:invokeHarness',
    'arn:aws:states:::eks:runJob.waitForTaskToken',
    'arn:aws:states:::aws-sdk:bedrockagentcore:invokeHarness',
    'arn:aws:states:::aws-sdk:rds:describeDBInstances',
    'arn:aws:states:::aws-sdk:config:putEvaluations',
    'arn:aws:states:::aws-sdk:dynamodb:putItemV2',
    'arn:aws:states:::aws-sdk:weatherstation:getForecast',
    `arn:aws:states:::aws-sdk:\${Service}:putItm`,
    `\${FunctionArn}`,
  ])('accepts %s', Resource => expect(refusals({ Resource })).toEqual([]))

  it.each([
    ['arn:aws:states:::lamda:invoke', 'lambda:invoke'],
    ['arn:aws:states:::stepfunctions:startExecution', 'states:startExecution'],
    ['arn:aws:states:::dynamodb:query', 'aws-sdk:dynamodb:query'],
    ['arn:aws:states:::s3:getObject', 'aws-sdk:s3:getObject'],
    ['arn:aws:states:::aws-sdk:dynamodb:putItm', 'aws-sdk:dynamodb:putItem'],
    ['arn:aws:states:::aws-sdk:lambda:Invoke', 'aws-sdk:lambda:invoke'],
    ['arn:aws:states:::aws-sdk:dynamdb:putItem', 'aws-sdk:dynamodb'],
  ])('%s: suggests %s', (Resource, meant) => {
    const States = { A: { Type: 'Task', Resource, End: true } }
    const found = checkWorkflow({ StartAt: 'A', TimeoutSeconds: 9, States })
    expect(found.map(({ suggestion }) => suggestion)).toContain(`Did you mean "${meant}"?`)
  })

  it('only notes SDK services and actions that may be newer than the table', () => {
    const notes = (Resource: string) =>
      checkWorkflow({ StartAt: 'A', TimeoutSeconds: 9, States: { A: { Type: 'Task', Resource, End: true } } })
        .filter(({ rule }) => rule === 'names/unknown-integration')
        .map(({ severity }) => severity)
    expect(notes('arn:aws:states:::aws-sdk:weatherstation:getForecast')).toEqual(['info'])
    expect(notes('arn:aws:states:::aws-sdk:dynamodb:restoreTheWholeTable')).toEqual(['info'])
    expect(notes('arn:aws:states:::aws-sdk:dynamodb:query')).toEqual([])
  })

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

describe('fields of a Distributed Map', () => {
  const ItemProcessor = {
    StartAt: 'B',
    States: { B: { Type: 'Pass', End: true } },
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
  }
  const found = (fields: object) => refusals({ Type: 'Map', ItemProcessor, ...fields })

  it.each([
    '',
    'a b',
    'tab\there',
    'x'.repeat(41),
    'bell\u0007',
    ...'?*<>{}[]:;,\\|^~$#%&`"'.split('').map(character => `a${character}b`),
  ])('refuses the label %j', Label => expect(found({ Label })).toHaveLength(1))

  it.each(['x'.repeat(40), 'my-label_1', 'größe', `\${Label}`])('takes the label %j', Label =>
    expect(found({ Label })).toEqual([]),
  )

  it.each(['MaxConcurrencyPath', 'ToleratedFailureCountPath', 'ToleratedFailurePercentagePath'])(
    'reads %s from the input, not from the context object',
    field => {
      expect(found({ [field]: '$$.Execution.Input.n' })).toEqual([
        `The value for the field '${field}' must be a valid JSONPath`,
      ])
      expect(found({ [field]: '$.n' })).toEqual([])
    },
  )

  it('reads the sizes of batches from the input, and takes 0 for no limit', () => {
    expect(found({ ItemBatcher: { MaxItemsPerBatchPath: '$$.Execution.Input.n' } })).toHaveLength(1)
    expect(found({ ItemBatcher: { MaxItemsPerBatchPath: '$.n', MaxInputBytesPerBatchPath: '$n' } })).toEqual(
      [],
    )
    expect(found({ ItemBatcher: { MaxItemsPerBatch: 0 } })).toEqual([])
    expect(found({ ItemsPath: '$$.Execution.Input.items' })).toEqual([])
  })
})
