import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadCorpus } from './corpus.ts'
import { judgeAll } from './judge.ts'
import { reasonFor } from './reasons.ts'
import { summarise } from './report.ts'

const corpus = join(import.meta.dirname, '../../../../../shared/conformance')

describe.skipIf(!existsSync(corpus))('what AWS recorded (needs the corpus beside the repository)', () => {
  it('is answered alike, in outcome, cause and history, and replayed from the history alone', async () => {
    const results = await judgeAll(await loadCorpus(corpus))
    const summary = summarise(results)
    const share = (tier: string, kind: 'core' | 'strict') =>
      (summary[tier]?.[kind] ?? 0) / (summary[tier]?.cases ?? 1)
    for (const tier of ['tier none', 'tier lambda']) {
      expect(share(tier, 'core')).toBeGreaterThanOrEqual(0.99)
      expect(share(tier, 'strict')).toBeGreaterThanOrEqual(0.97)
    }
    for (const tier of ['tier s3', 'tier service']) expect(share(tier, 'core')).toBeGreaterThanOrEqual(0.95)
    expect((summary['all']?.sameHistory ?? 0) / (summary['all']?.histories ?? 1)).toBeGreaterThanOrEqual(0.9)
    const unlikeReplays = results.flatMap(({ replay = [] }) => replay.map(reasonFor))
    expect(unlikeReplays.filter(reason => reason.startsWith('Not explained'))).toEqual([])
    expect((summary['all']?.sameReplay ?? 0) / (summary['all']?.histories ?? 1)).toBeGreaterThanOrEqual(0.99)
  })
})
