import { CreateEventBusCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { afterAll, expect, it } from 'vitest'
import { testEventBridge } from './test-eventbridge.ts'

const { clientConfig, busName } = testEventBridge()
const client = new EventBridgeClient(clientConfig)
afterAll(() => client.destroy())

it('gives buses of its own to each caller', async () => {
  const { EventBusArn } = await client.send(new CreateEventBusCommand({ Name: busName('mail') }))
  expect(EventBusArn).toContain(busName('mail'))
  expect(testEventBridge().busName('mail')).not.toBe(busName('mail'))
})
