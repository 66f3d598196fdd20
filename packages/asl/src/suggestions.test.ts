import { describe, expect, it } from 'vitest'
import { fieldsAt, valuesAt } from './index.ts'
import type { Json } from './language.ts'

const definition = {
  StartAt: 'Each',
  States: {
    Each: {
      Type: 'Map',
      ItemReader: { Resource: 'arn:', ReaderConfig: {} },
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED' },
        StartAt: 'Call',
        States: {
          Call: {
            Type: 'Task',
            Resource: 'arn:aws:states:::aws-sdk:sqs:',
            Parameters: {},
            Retry: [{ ErrorEquals: ['X'] }],
          },
        },
      },
      Next: 'Which',
    },
    Which: { Type: 'Choice', Choices: [{ And: [{}], Next: 'Both' }] },
    Both: { Type: 'Parallel', Branches: [{}], QueryLanguage: 'JSONata' },
    New: {},
  },
} as unknown as Json
const call = ['States', 'Each', 'ItemProcessor', 'States', 'Call']

describe('fieldsAt', () => {
  it.each<[string, (string | number)[], string[], string[]]>([
    ['a machine', [], ['Comment', 'TimeoutSeconds'], ['StartAt', 'Type']],
    ['a state without a type', ['States', 'New'], ['Type'], ['Next']],
    ['a Task', call, ['ResultPath', 'Catch', 'Next'], ['Retry', 'Arguments', 'Choices']],
    ['a retrier', [...call, 'Retry', 0], ['MaxAttempts', 'JitterStrategy'], ['ErrorEquals', 'Next']],
    ['a processor', ['States', 'Each', 'ItemProcessor'], ['Comment'], ['StartAt', 'Type']],
    ['its config', ['States', 'Each', 'ItemProcessor', 'ProcessorConfig'], ['ExecutionType'], ['Mode']],
    ['what reads items', ['States', 'Each', 'ItemReader', 'ReaderConfig'], ['CSVHeaders'], ['Resource']],
    ['a choice rule', ['States', 'Which', 'Choices', 0, 'And', 0], ['Variable', 'IsPresent'], ['Condition']],
    ['a branch', ['States', 'Both', 'Branches', 0], ['StartAt', 'States'], ['Type']],
    ['a state in JSONata', ['States', 'Both'], ['Arguments', 'Output'], ['ResultPath']],
  ])('knows what %s may have', (_what, pointer, possible, impossible) => {
    const fields = fieldsAt(definition, pointer)
    expect(fields).toEqual(expect.arrayContaining(possible))
    for (const name of impossible) expect(fields).not.toContain(name)
  })

  it('knows nothing of data, nor of names of states', () => {
    expect(fieldsAt(definition, [...call, 'Parameters'])).toEqual([])
    expect(fieldsAt(definition, ['States'])).toEqual([])
  })
})

describe('valuesAt', () => {
  it('knows the types of states, and what has few values', () => {
    expect(valuesAt(definition, ['States', 'New', 'Type'])).toContain('Parallel')
    expect(valuesAt(definition, ['States', 'Each', 'ItemProcessor', 'ProcessorConfig', 'Mode'])).toEqual([
      'INLINE',
      'DISTRIBUTED',
    ])
    expect(valuesAt(definition, ['States', 'Each', 'ItemReader', 'ReaderConfig', 'InputType'])).toContain(
      'CSV',
    )
    expect(valuesAt(definition, [...call, 'Comment'])).toEqual([])
  })

  it('knows resources: optimized ones, services of the SDK, and the actions of one', () => {
    const both = valuesAt(definition, ['States', 'Both', 'Resource'])
    expect(both).toEqual(
      expect.arrayContaining([
        'arn:aws:states:::lambda:invoke.waitForTaskToken',
        'arn:aws:states:::aws-sdk:sqs:',
      ]),
    )
    const actions = valuesAt(definition, [...call, 'Resource'])
    expect(actions).toContain('arn:aws:states:::aws-sdk:sqs:sendMessageBatch')
    expect(valuesAt(definition, ['States', 'Each', 'ItemReader', 'Resource'])).toEqual([
      'arn:aws:states:::s3:getObject',
      'arn:aws:states:::s3:listObjectsV2',
    ])
  })
})
