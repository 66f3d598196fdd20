import { describe, expect, it } from 'vitest'
import type { MailEvent } from './mail-event.ts'
import { createMemorySuppressions } from './memory.ts'
import { askToUnsubscribe, recordMailEvents, unsubscribe } from './tasks.ts'
import { createUnsubscribeTokens } from './unsubscribe-tokens.ts'

describe('recordMailEvents', () => {
  const event = (eventType: string, rest: object) => ({
    detail: { eventType, mail: { messageId: 'm-1', tags: { campaign_id: ['c-1'] } }, ...rest },
  })
  const recipients = [{ emailAddress: 'ann@example.jp' }]

  it.each([
    ['Bounce', { bounce: { bounceType: 'Permanent', bouncedRecipients: recipients } }, 'bounced', 1],
    ['Bounce', { bounce: { bounceType: 'Transient', bouncedRecipients: recipients } }, 'undelivered', 0],
    ['Complaint', { complaint: { complainedRecipients: recipients } }, 'complained', 1],
    ['Delivery', { delivery: { recipients: ['ann@example.jp'] } }, 'delivered', 0],
  ])('of a %s', async (eventType, rest, kind, suppressed) => {
    const suppressions = createMemorySuppressions()
    const heard: MailEvent[] = []
    const ports = {
      suppressions,
      recordEvents: async (events: readonly MailEvent[]) => void heard.push(...events),
    }
    const run = () => recordMailEvents.run(event(eventType, rest), ports)
    expect(await run()).toEqual({ events: { [kind]: 1 }, suppressed })
    expect(await run()).toEqual({ events: { [kind]: 1 }, suppressed: 0 })
    expect(heard[0]).toMatchObject({ kind, addresses: ['ann@example.jp'], tags: { campaign_id: 'c-1' } })
    const all = [{ address: 'ann@example.jp', reason: kind, source: 'm-1' }]
    expect(suppressions.all()).toEqual(suppressed === 1 ? all : [])
  })

  it('refuses what SES does not send', async () => {
    const ports = { suppressions: createMemorySuppressions(), recordEvents: async () => {} }
    await expect(recordMailEvents.run({ Records: [], x: 1 }, ports)).resolves.toEqual({
      events: {},
      suppressed: 0,
    })
    await expect(recordMailEvents.run({}, ports)).rejects.toMatchObject({ name: 'ValidationError' })
  })
})

describe('askToUnsubscribe', () => {
  const tokens = createUnsubscribeTokens([Buffer.alloc(32, 'k')])

  it('takes a token of ours and no other, and changes nothing', async () => {
    const token = tokens.seal({ address: 'ann@example.jp', source: 'c-1' })
    expect(await askToUnsubscribe.run({ token }, { tokens })).toEqual({})
    const forged = { token: token.slice(0, -3) }
    await expect(askToUnsubscribe.run(forged, { tokens })).rejects.toMatchObject({ name: 'ForbiddenError' })
  })
})

describe('unsubscribe', () => {
  const tokens = createUnsubscribeTokens([Buffer.alloc(32, 'k')])

  it('suppresses the address of the token, and no other', async () => {
    const suppressions = createMemorySuppressions()
    const token = tokens.seal({ address: 'ann@example.jp', source: 'c-1' })
    await unsubscribe.run({ token }, { suppressions, tokens })
    await unsubscribe.run({ token }, { suppressions, tokens })
    expect(suppressions.all()).toEqual([{ address: 'ann@example.jp', reason: 'unsubscribed', source: 'c-1' }])
    const forged = Buffer.from(JSON.stringify(['bob@example.jp', 'c-1'])).toString('base64url')
    await expect(unsubscribe.run({ token: forged }, { suppressions, tokens })).rejects.toMatchObject({
      name: 'ForbiddenError',
    })
    expect(suppressions.all()).toHaveLength(1)
  })

  it('suppresses an address as it is stored, however the mail was addressed', async () => {
    const suppressions = createMemorySuppressions()
    const token = tokens.seal({ address: 'Ann@Example.jp', source: 'c-1' })
    await unsubscribe.run({ token }, { suppressions, tokens })
    expect(await suppressions.find(['ann@example.jp'])).toEqual(new Map([['ann@example.jp', 'unsubscribed']]))
  })
})
