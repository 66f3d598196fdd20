import { expect, it } from 'vitest'
import { renewWhileWorking } from './renew-lock.ts'

it('renews a lock three times as often as needed, also after a failure, and until the work is done', async () => {
  const slept: number[] = []
  const asleep = Promise.withResolvers<AbortSignal | undefined>()
  let renewals = 0
  const job = renewWhileWorking({
    lockMs: 900,
    async renew() {
      renewals += 1
      throw new Error('not now')
    },
    async sleep(ms, signal) {
      slept.push(ms)
      if (slept.length <= 3) return
      asleep.resolve(signal)
      await new Promise((_, reject) => signal?.addEventListener('abort', reject))
    },
  })
  const signal = await asleep.promise
  job[Symbol.dispose]()
  expect([slept, renewals, signal?.aborted]).toEqual([[300, 300, 300, 300], 3, true])
})
