import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningApp, startApp, type TaskTrouble } from '../src/index.ts'
import { wired } from './wired/app.ts'

const fakePong = new URL('./wired/fake-pong.ts', import.meta.url)

describe('functions of one app', { timeout: 60_000 }, () => {
  let running: RunningApp
  const lines: string[] = []
  const troubles: TaskTrouble[] = []
  beforeAll(async () => {
    running = await startApp(wired, {
      enforcePolicies: true,
      onLog: line => lines.push(line),
      onTrouble: trouble => troubles.push(trouble),
    })
  }, 60_000)
  afterAll(() => running.stop())

  it('call each other, each with the right to call the other', async () => {
    expect(await running.invoke('Ping', { times: 3 })).toEqual({ path: 'ping pong ping pong' })
  })

  it('fail with the errors of the called task that they name, and with UnexpectedError otherwise', async () => {
    await expect(running.invoke('Pong', { times: 1, lost: true })).rejects.toMatchObject({
      name: 'GiveUp',
      message: expect.stringMatching(/^no ball\n.*"details":\{"me":"ping"\}/),
    })
    await expect(running.invoke('Ping', { times: 1, lost: true })).rejects.toMatchObject({
      name: 'UnexpectedError',
      message: 'the function Pong failed with GiveUp: no ball',
    })
  })

  it('show the words of a bug to the developer alone', async () => {
    await expect(running.invoke('Stumble', { email: 'ann@example.com' })).rejects.toMatchObject({
      name: 'UnexpectedError',
      message: 'reported as TypeError',
    })
    const trouble = troubles.find(({ task }) => task === 'stumble')
    expect(trouble?.frames[0]).toContain('tasks.ts')
    expect(trouble).toMatchObject({
      errors: [
        { name: 'UnexpectedError' },
        { name: 'TypeError', message: 'ann@example.com is not a function' },
      ],
    })
    expect(lines.join()).not.toContain('ann@example.com')
  })

  it('start the workflow that calls them', async () => {
    await running.start('countdown', { left: 2 })
    expect(await running.ended('countdown', 'left-0')).toMatchObject({ status: 'SUCCEEDED' })
  })

  it('know the URL of their own API', async () => {
    const url = String(running.gateway?.endpoint)
    const headers = { authorization: `Bearer ${running.gateway?.issueToken({ sub: 'ann' })}` }
    expect(await (await fetch(`${url}/link`, { headers })).json()).toEqual({ link: `${url}/link` })
  })
})

describe('the option replace', { timeout: 60_000 }, () => {
  it('runs the function of another module in place of the deployed one', async () => {
    await using running = await startApp(wired, { replace: { Pong: fakePong } })
    expect(await running.invoke('Ping', { times: 2 })).toEqual({ path: 'ping fake ping' })
    await running.reload()
    expect(await running.invoke('Pong', { times: 0 })).toEqual({ path: 'fake' })
  })

  it('rejects a name that the app does not have', async () => {
    await expect(startApp(wired, { replace: { Pang: fakePong } })).rejects.toThrow(
      'replace: the app has no function Pang; there are CountDown, Ping, Pong, ShowLink, Stumble',
    )
  })
})
