import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { objectCreatedEvent } from './object-created.ts'

// As EventBridge's documentation shows it.
const event = {
  version: '0',
  id: '17793124-05d4-b198-2fde-7ededc63b103',
  'detail-type': 'Object Created',
  source: 'aws.s3',
  account: '111122223333',
  time: '2021-11-12T00:00:00Z',
  region: 'ca-central-1',
  resources: ['arn:aws:s3:::amzn-s3-demo-bucket1'],
  detail: {
    version: '0',
    bucket: { name: 'amzn-s3-demo-bucket1' },
    object: {
      key: 'example-key',
      size: 5,
      etag: 'b1946ac92492d2347c6235b4d2611184',
      'version-id': 'IYV3p45BT0ac8hjHg1houSdS1a.Mro8e',
      sequencer: '617f08299329d189',
    },
    'request-id': 'N4N7GDK58NMKJ12R',
    reason: 'PutObject',
  },
}

describe('objectCreatedEvent', () => {
  it('takes the event of S3 as it is, with what it does not read', () => {
    expect(z.parse(objectCreatedEvent, event)).toEqual(event)
  })

  it.each([
    ['no key', { object: { ...event.detail.object, key: '' } }],
    ['no etag', { object: { key: 'a', size: 1 } }],
    ['no bucket', { bucket: {} }],
  ])('refuses one with %s', (_, detail) => {
    const wrong = { ...event, detail: { ...event.detail, ...detail } }
    expect(z.safeParse(objectCreatedEvent, wrong).success).toBe(false)
  })
})
