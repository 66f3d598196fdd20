import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EventBridge, startEventBridge } from './index.ts'

let service: EventBridge
beforeAll(async () => {
  service = await startEventBridge({ onProblem: () => undefined })
  await call('PutRule', { Name: 'r', EventPattern: '{"source":["a"]}' })
})
afterAll(() => service.stop())

async function call(operation: string, input: unknown): Promise<number> {
  const headers = { 'x-amz-target': `AWSEvents.${operation}`, 'content-type': 'application/x-amz-json-1.1' }
  const response = await fetch(service.endpoint, { method: 'POST', headers, body: JSON.stringify(input) })
  await response.text()
  return response.status
}

const operations = [
  ...['PutEvents', 'PutRule', 'DescribeRule', 'ListRules', 'DeleteRule', 'EnableRule', 'PutTargets'],
  ...['RemoveTargets', 'ListTargetsByRule', 'ListRuleNamesByTarget', 'TestEventPattern', 'CreateEventBus'],
  ...['DeleteEventBus', 'DescribeEventBus', 'ListEventBuses'],
]
const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('r', 'default', '{}', '{"a":["b"]}'))
const pattern = fc.oneof(value, fc.json())
const input = fc.record(
  {
    Name: fc.oneof(value, fc.constant('r')),
    Rule: fc.oneof(value, fc.constant('r')),
    EventBusName: fc.oneof(value, fc.constant('default')),
    EventPattern: pattern,
    Event: pattern,
    ScheduleExpression: fc.oneof(value, fc.constantFrom('rate(1 day)', 'cron(0 0 * * ? *)')),
    Entries: fc.oneof(
      value,
      fc.array(fc.record({ Source: value, DetailType: value, Detail: pattern, Time: value })),
    ),
    Targets: fc.oneof(value, fc.array(fc.oneof(value, fc.record({ Id: value, Arn: value, Input: pattern })))),
    Ids: value,
    TargetArn: value,
    NextToken: value,
    Limit: value,
  },
  { requiredKeys: [] },
)

describe('startEventBridge', () => {
  it('refuses what makes no sense, and is not harmed by it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operations), input, async (operation, given) => {
        expect(await call(operation, given)).toBeLessThan(500)
      }),
      { numRuns: 150 },
    )
  })
})
