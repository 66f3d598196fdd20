import { appendFileSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openOutbox } from './outbox.ts'

let directory = ''
let file = ''
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-outbox-'))
  file = join(directory, 'below', 'outbox.jsonl')
})
afterEach(() => rm(directory, { recursive: true }))

function collect() {
  const delivered: string[] = []
  const deliver = async (message: string): Promise<void> => void delivered.push(message)
  return { delivered, deliver }
}

describe('openOutbox', () => {
  it('delivers what was sent before it ran, in order, and what is sent later', async () => {
    const { delivered, deliver } = collect()
    const outbox = openOutbox({ deliver })
    const first = outbox.send('a')
    const second = outbox.send('b')
    expect(delivered).toEqual([])
    outbox.run()
    await Promise.all([first, second, outbox.send('c')])
    expect(delivered).toEqual(['a', 'b', 'c'])
    await outbox.stop()
  })

  it('delivers what an earlier process kept and did not deliver, once it is delivered never again', async () => {
    const killed = openOutbox<string>({ file, deliver: () => new Promise(() => {}) })
    killed.run()
    void killed.send('in delivery')
    const { delivered, deliver } = collect()
    const next = openOutbox({ file, deliver })
    void next.send('waiting')
    next.run()
    await next.stop()
    expect(delivered).toEqual(['in delivery', 'waiting'])
    const last = collect()
    const empty = openOutbox({ file, deliver: last.deliver })
    empty.run()
    await empty.stop()
    expect(last.delivered).toEqual([])
  })

  it('keeps what could not be delivered, and what is sent while it is paused, for the next process', async () => {
    const failing = openOutbox<string>({ file, deliver: () => Promise.reject(new Error('no')) })
    failing.run()
    await failing.send('failed')
    await failing.pause()
    const sent = failing.send('late')
    await failing.stop()
    await sent
    await failing.send('too late')
    const { delivered, deliver } = collect()
    const next = openOutbox({ file, deliver })
    next.run()
    await next.stop()
    expect(delivered).toEqual(['failed', 'late', 'too late'])
  })

  it('goes on after a pause', async () => {
    const { delivered, deliver } = collect()
    const outbox = openOutbox({ deliver })
    outbox.run()
    await outbox.pause()
    const sent = outbox.send('a')
    expect(delivered).toEqual([])
    outbox.run()
    await sent
    await outbox.stop()
  })

  it('ignores the half of a line that a kill left', async () => {
    const before = openOutbox<string>({ file, deliver: () => new Promise(() => {}) })
    void before.send('whole')
    appendFileSync(file, '[2,"ha')
    const { delivered, deliver } = collect()
    const next = openOutbox({ file, deliver })
    next.run()
    await next.send('new')
    await next.stop()
    expect(delivered).toEqual(['whole', 'new'])
  })

  it('does not let its file grow with what it delivered', async () => {
    const { deliver } = collect()
    const outbox = openOutbox({ file, deliver })
    outbox.run()
    for (let sent = 0; sent < 10_001; sent += 1) await outbox.send('message')
    await outbox.stop()
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(10)
  })
})
