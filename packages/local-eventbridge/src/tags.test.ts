import * as eb from '@aws-sdk/client-eventbridge'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EventBridge, startEventBridge } from './index.ts'

let bridge: EventBridge
let client: eb.EventBridgeClient
beforeAll(async () => {
  bridge = await startEventBridge()
  client = new eb.EventBridgeClient(bridge.clientConfig)
})
afterAll(async () => {
  client.destroy()
  await bridge.stop()
})

const EventPattern = JSON.stringify({ source: ['shop'] })
async function tagsOf(ResourceARN: string): Promise<eb.Tag[] | undefined> {
  const { Tags } = await client.send(new eb.ListTagsForResourceCommand({ ResourceARN }))
  return Tags
}

describe('tags', () => {
  it('belong to rules and buses, are changed by their key, and go with them', async () => {
    const bus = { Name: 'tagged', Description: 'for tests', Tags: [{ Key: 'team', Value: 'a' }] }
    const { EventBusArn = '' } = await client.send(new eb.CreateEventBusCommand(bus))
    const rule = { Name: 'r', EventBusName: 'tagged', EventPattern, Tags: [{ Key: 'cost', Value: '1' }] }
    const { RuleArn = '' } = await client.send(new eb.PutRuleCommand(rule))
    expect(await tagsOf(EventBusArn)).toEqual(bus.Tags)
    expect(await tagsOf(RuleArn)).toEqual(rule.Tags)
    await client.send(new eb.PutRuleCommand({ ...rule, Tags: [{ Key: 'ignored', Value: '' }] }))
    const Tags = [
      { Key: 'cost', Value: '2' },
      { Key: 'more', Value: '' },
    ]
    await client.send(new eb.TagResourceCommand({ ResourceARN: RuleArn, Tags }))
    expect(await tagsOf(RuleArn)).toEqual(Tags)
    await client.send(new eb.UntagResourceCommand({ ResourceARN: RuleArn, TagKeys: ['cost'] }))
    expect(await tagsOf(RuleArn)).toEqual([{ Key: 'more', Value: '' }])
    expect(await client.send(new eb.DescribeEventBusCommand({ Name: 'tagged' }))).toMatchObject({
      Description: 'for tests',
    })
    await client.send(new eb.DeleteEventBusCommand({ Name: 'tagged' }))
    await expect(tagsOf(RuleArn)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
    const { EventBusArn: again = '' } = await client.send(new eb.CreateEventBusCommand({ Name: 'tagged' }))
    expect(await tagsOf(again)).toEqual([])
  })

  it.each<[string, object]>([
    ['no key', { Value: 'x' }],
    ['a reserved key', { Key: 'aws:x', Value: 'x' }],
    ['a long value', { Key: 'a', Value: 'x'.repeat(257) }],
  ])('are refused for %s', async (_what, tag) => {
    const Tags = [tag as eb.Tag]
    await expect(client.send(new eb.CreateEventBusCommand({ Name: 'refused', Tags }))).rejects.toMatchObject({
      name: 'ValidationException',
    })
    await expect(client.send(new eb.DescribeEventBusCommand({ Name: 'refused' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
  })
})

describe('what is not supported', () => {
  it.each<[string, object, string]>([
    ['CreateEventBus', { Name: 'b', KmsKeyIdentifier: 'k' }, 'KmsKeyIdentifier of CreateEventBus'],
    ['CreateEventBus', { Name: 'b', EventSourceName: 'aws.partner/x' }, 'EventSourceName of CreateEventBus'],
    ['PutEvents', { EndpointId: 'abc', Entries: [] }, 'EndpointId of PutEvents'],
    ['PutEvents', { Entries: [{ TraceHeader: 'Root=1' }] }, 'TraceHeader of an entry'],
    [
      'PutRule',
      { Name: 'r', EventPattern, State: 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS' },
      'The state ENABLED_WITH',
    ],
    [
      'PutTargets',
      { Rule: 'r', Targets: [{ Id: 'a', Arn: 'arn:aws:sqs:x', EcsParameters: {} }] },
      'EcsParameters of target a',
    ],
    [
      'PutTargets',
      { Rule: 'r', Targets: [{ Id: 'a', Arn: 'arn:aws:sqs:x', InputPath: '$.detail[?(@.x)]' }] },
      'Invalid InputPath',
    ],
    [
      'PutTargets',
      {
        Rule: 'r',
        Targets: [{ Id: 'a', Arn: 'arn:aws:sqs:x', InputTransformer: { InputTemplate: '{"a":<b>}' } }],
      },
      'contains invalid placeholder b',
    ],
    [
      'PutRule',
      { Name: 'r', EventPattern: JSON.stringify({ a: ['x'.repeat(4096)] }) },
      'less than or equal to 4096',
    ],
  ])('%s refuses %j', async (operation, input, message) => {
    await client.send(new eb.PutRuleCommand({ Name: 'r', EventPattern }))
    const response = await fetch(bridge.endpoint, {
      method: 'POST',
      headers: { 'x-amz-target': `AWSEvents.${operation}` },
      body: JSON.stringify(input),
    })
    expect(await response.json()).toMatchObject({
      __type: 'ValidationException',
      message: expect.stringContaining(message),
    })
  })
})
