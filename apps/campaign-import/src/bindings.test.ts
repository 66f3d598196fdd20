import { startApp } from '@stepwright/local-cloud'
import { describe, expect, it } from 'vitest'
import { app } from './app.ts'
import { maxSendRate, senders } from './bindings.ts'
import { SendBatch } from './functions/send-batch.ts'

describe('maxSendRate', () => {
  it('takes a rate of 1 and more', async () => {
    expect(await maxSendRate.open({ MAX_SEND_RATE: '14' })).toBe(14)
  })

  it.each(['', '0', '0.5', '-1', 'many'])(
    'refuses the rate %j, at which nothing would be sent',
    async rate => {
      await expect(maxSendRate.open({ MAX_SEND_RATE: rate })).rejects.toThrow('MAX_SEND_RATE')
    },
  )

  it('stops the app at its start if it is wrong, not the first campaign', { timeout: 60_000 }, async () => {
    const environment = { MAX_SEND_RATE: '0', POWERTOOLS_LOG_LEVEL: 'CRITICAL' }
    await expect(startApp(app, { environment })).rejects.toThrow('MAX_SEND_RATE')
  })
})

describe('senders', () => {
  it('are separated by commas', async () => {
    expect(await senders.open({ ALLOWED_SENDERS: 'a@example.jp, example.com' })).toEqual([
      'a@example.jp',
      'example.com',
    ])
  })
})

describe('SendBatch', () => {
  it("needs its own API's URL, for the links in mails", () => {
    expect(SendBatch.facts.needs.variables).toMatchObject({ API_URL: { api: 'url' }, MAX_SEND_RATE: 14 })
  })
})
