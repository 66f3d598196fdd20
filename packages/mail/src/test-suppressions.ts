import { type TestRunner, testRunner } from '@stepwright/task/testing'
import type { Suppressions } from './suppressions.ts'

/** The contract of the port; `create` gives an empty list each time. */
export function testSuppressions(
  name: string,
  create: () => Promise<Suppressions>,
  runner: TestRunner = testRunner,
): void {
  const { describe, expect, it } = runner
  describe(`${name} as suppressions`, () => {
    it('finds what was added, with its first reason', async () => {
      const suppressions = await create()
      const ann = { address: 'ann@example.jp', reason: 'unsubscribed', source: 'c-1' } as const
      expect(await suppressions.add([ann, { ...ann, address: 'bob@example.jp', reason: 'bounced' }])).toBe(2)
      expect(await suppressions.add([{ ...ann, reason: 'complained' }])).toBe(0)
      const found = await suppressions.find(['ann@example.jp', 'bob@example.jp', 'carol@example.jp'])
      expect(Object.fromEntries(found)).toEqual({
        'ann@example.jp': 'unsubscribed',
        'bob@example.jp': 'bounced',
      })
    })

    it('takes nothing, and the same address twice at once', async () => {
      const suppressions = await create()
      expect(await suppressions.add([])).toBe(0)
      expect(await suppressions.find([])).toEqual(new Map())
      const ann = { address: 'ann@example.jp', reason: 'bounced', source: '' } as const
      expect(await suppressions.add([ann, { ...ann, reason: 'complained' }])).toBe(1)
    })
  })
}
