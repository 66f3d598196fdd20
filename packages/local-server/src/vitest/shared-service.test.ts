import { describe, expect, it } from 'vitest'
import type { TestProject } from 'vitest/node'
import { shareService } from './shared-service.ts'

const project = {} as TestProject

function countingService(name: string) {
  const log: string[] = []
  const start = async () => {
    log.push('started')
    return {
      async [Symbol.asyncDispose]() {
        log.push('stopped')
      },
    }
  }
  // Each project of a run loads its own copy of a global setup.
  const copy = () => shareService(name, start, () => log.push('provided'))
  return { log, copy }
}

describe('shareService', () => {
  it('starts a service for the first project and stops it after the last', async () => {
    const { log, copy } = countingService('shared')
    const [releaseOne, releaseOther] = await Promise.all([copy()(project), copy()(project)])
    await releaseOne()
    expect(log).toEqual(['started', 'provided', 'provided'])
    await releaseOther()
    expect(log.at(-1)).toBe('stopped')
  })

  it('starts it anew in the next run', async () => {
    const { log, copy } = countingService('anew')
    for (let run = 0; run < 2; run += 1) await (await copy()(project))()
    expect(log).toEqual(['started', 'provided', 'stopped', 'started', 'provided', 'stopped'])
  })

  it('tells every project that the service does not start, and tries again later', async () => {
    let failing = true
    const start = async (): Promise<AsyncDisposable> => {
      if (failing) throw new Error('no')
      return { async [Symbol.asyncDispose]() {} }
    }
    const setup = shareService('failing', start, () => {})
    const results = await Promise.allSettled([setup(project), setup(project)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    failing = false
    await (await setup(project))()
  })
})
