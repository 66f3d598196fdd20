import { chaosRounds } from '@stepwright/bench/chaos'
import { expect, it } from 'vitest'
import { expectAgreement } from './test/agreement.ts'
import { startWorld } from './test/running-world.ts'
import { toUserLog } from './test/user-log.ts'

/** 2,000 in every run of the tests; 100 rounds, and more, are 100,000. */
const rows = Math.min(chaosRounds(2), 100) * 1000

it(`reflects ${rows} rows`, { timeout: 600_000 }, async () => {
  await using world = await startWorld()
  const log = { rows, users: Math.ceil(rows / 3), bad: [rows - 7] }
  const end = await world.process('data/large.csv', toUserLog(log))
  expect(end.status).toBe('SUCCEEDED')
  await expectAgreement(world, end, log)
})
