import { chaosRounds } from '@stepwright/bench/chaos'
import { expect, it } from 'vitest'
import { csvOf, startCampaigns } from './test/running-campaigns.ts'

const rounds = chaosRounds(0)
/** 5,000,000 with 100 rounds or more. A usual run imports 40,000 in `e2e.test.ts`. */
const rows = Math.min(rounds, 100) * 50_000

it.skipIf(rounds === 0)(`imports ${rows} recipients exactly`, { timeout: 1_200_000 }, async () => {
  const app = await startCampaigns()
  try {
    const id = await app.register(`${csvOf(rows)}USER0@example.jp,twice\nnobody,x\n`)
    expect(await app.finished('import', id)).toBe('SUCCEEDED')
    expect(await app.show(id)).toMatchObject({ total_count: rows, duplicate_count: 1, rejected_count: 1 })
    const counted = await app.query(
      'select count(*)::int as all, count(distinct email)::int as different from notification_recipients',
    )
    expect(counted).toEqual([{ all: rows, different: rows }])
  } finally {
    await app.stop()
  }
})
