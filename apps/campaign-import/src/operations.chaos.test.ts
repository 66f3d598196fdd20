import { randomFrom } from '@stepwright/bench'
import { chaosRounds } from '@stepwright/bench/chaos'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { status } from './campaign.ts'
import { createCampaignOperations } from './test/campaign-operations.ts'
import { type RunningCampaigns, startCampaigns } from './test/running-campaigns.ts'

const rounds = chaosRounds(1)
const steps = rounds > 1 ? 40 : 12

describe('campaigns that people and machines do anything with', { timeout: 0 }, () => {
  let app: RunningCampaigns
  beforeAll(async () => {
    app = await startCampaigns()
  }, 60_000)
  afterAll(() => app.stop(), 60_000)

  const first = rounds > 1 ? Date.now() % 1_000_000 : 1
  const seeds = Array.from({ length: rounds }, (_, index) => first + index)
  it.each(seeds)('keep their promises after every step, with the seed %i', async seed => {
    const operations = createCampaignOperations(app, randomFrom(seed))
    const done: string[] = []
    for (let step = 0; step < steps; step += 1) {
      done.push(await operations.step())
      expect([done, await operations.violations()]).toEqual([done, []])
    }
    await operations.settle()
    expect([done, await operations.violations()]).toEqual([done, []])
    const ends: readonly string[] = [
      status.importFailed,
      status.scheduled,
      status.stopped,
      status.sent,
      status.cancelled,
    ]
    expect((await operations.statuses()).filter(each => !ends.includes(each))).toEqual([])
  })
})
