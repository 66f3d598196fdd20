import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { status } from './campaign.ts'
import { contentOf, csvOf, type RunningCampaigns, startCampaigns } from './test/running-campaigns.ts'

let app: RunningCampaigns
beforeAll(async () => {
  app = await startCampaigns()
}, 60_000)
afterAll(() => app.stop(), 60_000)

type When = 'before' | 'after'
type FunctionName = Parameters<RunningCampaigns['intercept']>[0]

/** Stops the execution at the function's nth call, before or after its work; its answer is lost in any case. */
async function killAt(name: FunctionName, nth: number, when: When, arn: () => string): Promise<void> {
  const killed = Promise.withResolvers<void>()
  let calls = 0
  app.intercept(name, async call => {
    calls += 1
    if (calls !== nth) return call()
    if (when === 'after') await call()
    await app.stopExecution(arn())
    killed.resolve()
    throw new Error('nobody hears this')
  })
  await killed.promise
  app.intercept(name)
}

const moments: readonly When[] = ['before', 'after']

describe('an import that is killed', { timeout: 120_000 }, () => {
  it.each(
    (
      [
        ['DeleteExistingRecipients', 1],
        ['SplitCSV', 1],
        ['ImportChunk', 1],
        ['ImportChunk', 3],
        ['FinalizeImport', 1],
      ] as const
    ).flatMap(([name, nth]) => moments.map(when => [when, name, nth] as const)),
  )('%s %s, call %i, goes on when it is redriven, and sends once', async (when, name, nth) => {
    const first = await app.register(csvOf(2, 'earlier'))
    await app.finished('import', first)
    const killed = killAt(name, nth, when, () => app.arnOf('import', first, 2))
    await app.call('PUT', `/campaigns/${first}`, contentOf(await app.upload(csvOf(12_000))))
    await killed
    await app.finished('import', first, 2)

    await app.redrive(app.arnOf('import', first, 2))
    expect(await app.finished('import', first, 2)).toBe('SUCCEEDED')
    expect(await app.show(first)).toMatchObject({
      status: status.scheduled,
      total_count: 12_000,
      duplicate_count: 0,
      rejected_count: 0,
    })
    expect(await app.recipientsOf(first)).toHaveLength(12_000)
    expect(await app.executions('send', first)).toEqual({ 'send-1': 'ABORTED', 'send-2': 'RUNNING' })
  })

  it.each(moments)('%s FailImport, ends as 取込失敗 without recipients all the same', async when => {
    let id = ''
    const killed = killAt('FailImport', 1, when, () => app.arnOf('import', id))
    const content = contentOf(await app.upload(`${csvOf(6000)}a,b,c\n`))
    id = (await app.call('POST', '/campaigns', content)).data.campaign_id
    await killed
    await app.finished('import', id)

    await app.redrive(app.arnOf('import', id))
    expect(await app.finished('import', id)).toBe('FAILED')
    expect(await app.show(id)).toMatchObject({
      status: status.importFailed,
      failure_reason: { code: 'COLUMN_COUNT', details: { rowNumber: 6001 } },
    })
    expect(await app.recipientsOf(id)).toEqual([])
  })
})

describe('a sending that is killed', { timeout: 120_000 }, () => {
  it.each(
    (['BeginSending', 'SendBatch', 'FinishSending'] as const).flatMap(name =>
      moments.map(when => [when, name] as const),
    ),
  )('%s %s goes on when it is redriven, and nobody gets a second message', async (when, name) => {
    let id = ''
    const killed = killAt(name, 1, when, () => app.arnOf('send', id))
    id = await app.register(csvOf(5, 'once'), 1000)
    await killed
    await app.finished('send', id)
    await app.redrive(app.arnOf('send', id))
    expect(await app.finished('send', id)).toBe('SUCCEEDED')
    expect(await app.show(id)).toMatchObject({
      status: status.sent,
      sending: { sent: 5, bounced: 0, unconfirmed: 0, pending: 0 },
    })
    const mails = app.services.mailbox.messages.filter(({ tags }) => tags['campaign_id'] === id)
    expect(mails.flatMap(({ to }) => to).toSorted()).toEqual(
      [0, 1, 2, 3, 4].map(index => `once${index}@example.jp`),
    )
  })
})

describe('a sender whose process is killed', { timeout: 120_000 }, () => {
  it('goes on by itself: nobody gets two messages, and only what was in flight is unconfirmed', async () => {
    const id = await app.register(csvOf(120, 'killed'), 1000)
    const mails = () => app.services.mailbox.messages.filter(({ tags }) => tags['campaign_id'] === id)
    for (const count of [20, 60]) {
      await expect.poll(() => mails().length, { interval: 1, timeout: 60_000 }).toBeGreaterThan(count)
      app.kill('SendBatch')
    }
    expect(await app.finished('send', id)).toBe('SUCCEEDED')
    const { sent, bounced, unconfirmed, pending } = (await app.show(id)).sending
    expect([sent + unconfirmed, bounced, pending]).toEqual([120, 0, 0])
    expect(unconfirmed).toBeLessThanOrEqual(100)
    const addresses = mails().flatMap(({ to }) => to)
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(addresses.length).toBeGreaterThanOrEqual(sent)
  })
})
