import { setTimeout as wait } from 'node:timers/promises'
import { createAuditLog } from '@stepwright/audit-log'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectAgreement, expectTrail } from './test/agreement.ts'
import { type RunningWorld, startWorld } from './test/running-world.ts'
import { toExpectedActivity, toUserLog } from './test/user-log.ts'

const timeout = 120_000
let world: RunningWorld
beforeAll(async () => {
  world = await startWorld()
}, timeout)
afterAll(() => world[Symbol.asyncDispose](), timeout)
beforeEach(() => world.pool.query('truncate user_contribution'))

const twelveBad = Array.from({ length: 12 }, (_, index) => 40 + index * 80)

describe('csv-processor on the local cloud', { timeout }, () => {
  it('reflects 1,000 rows', async () => {
    const log = { rows: 1000 }
    const end = await world.process('data/user-log-20240802-001.csv', toUserLog(log))
    expect(end).toMatchObject({ status: 'SUCCEEDED' })
    expect(end.name).toMatch(/^user-log-20240802-001-[a-z2-7]{16}$/)
    expect(JSON.parse(end.output ?? '')).toMatchObject({
      status: 'SUCCESS',
      executionId: end.name,
      validation: { jobId: end.name, rowCount: 1000 },
      processing: { totalRecords: 1000, successCount: 1000, errorCount: 0 },
    })
    await expectAgreement(world, end, log)
  })

  it('counts the latest upload of a file, and keeps its users out of the trail', async () => {
    const header = 'user_id,login_count,post_count'
    await world.process('data/again.csv', `${header}\nann@example.jp,1,1\nU2,1,1\n`)
    await world.process('data/another.csv', `${header}\nU2,10,10\n`)
    const end = await world.process('data/again.csv', `${header}\nann@example.jp,5,6\n`)
    expect(end.status).toBe('SUCCEEDED')
    expect(await world.activity()).toEqual(
      new Map([
        ['ann@example.jp', [5, 6]],
        ['U2', [10, 10]],
      ]),
    )
    const { rows } = await world.pool.query('select count(*)::int as rows from user_contribution')
    expect(rows).toEqual([{ rows: 2 }])

    const [entry] = await world.entries(end.name)
    expect(entry?.userRecord).toEqual({ user_id: '[redacted]', login_count: '5', post_count: '6' })
    const later = createAuditLog({ ...world.trail, now: () => Date.now() + 401 * 86_400_000 })
    expect(await later.verify(end.name)).toMatchObject({ ok: false, problem: { kind: 'expired' } })
  })

  it('reflects 988 of 1,000 rows when 12 are bad', async () => {
    const log = { rows: 1000, bad: twelveBad }
    const end = await world.process('data/twelve.csv', toUserLog(log))
    expect(JSON.parse(end.output ?? '')).toMatchObject({
      processing: { successCount: 988, errorCount: 12 },
      output: { summary: { errors: { DataValidationError: { count: 12 } } } },
    })
    await expectAgreement(world, end, log)
  })

  it('fails over the tolerance, with everything in its place', async () => {
    const log = { rows: 1000, bad: Array.from({ length: 60 }, (_, index) => index + 1) }
    const end = await world.process('data/intolerable.csv', toUserLog(log))
    expect(end).toMatchObject({ status: 'FAILED', error: 'ToleranceExceededError' })
    expect(world.running.services.stepFunctions.metrics(end.stateMachineArn).ExecutionsFailed).toBe(1)
    expect(await world.activity()).toEqual(new Map())
    await expectTrail(world, end, log)
  })

  it.each([
    ['a wrong header', 'id,logins\nU1,3\n', 'HEADER_MISMATCH'],
    [
      'what is no CSV',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 3, 0, 255]),
      'error',
    ],
    ['an empty file', '', 'EMPTY_FILE'],
  ])('refuses %s', async (_, body, reason) => {
    const end = await world.process('data/invalid.csv', body)
    expect(end).toMatchObject({ status: 'FAILED', error: 'ValidationError' })
    expect(end.cause).toContain(reason)
    expect(await world.activity()).toEqual(new Map())
    expect(await world.entries(end.name)).toMatchObject([{ itemIndex: 0, logType: 'BUSINESS_ERROR' }])
    expect(await world.audit.verify(end.name)).toMatchObject({ ok: true })
    expect(JSON.parse(await world.readOutput(`results/${end.name}/failure.json`))).toMatchObject({
      status: 'FAILED',
      errorType: 'VALIDATION_FAILURE',
    })
  })

  it('counts a file once that is put over another at once', async () => {
    const before = new Set(world.started)
    const log = { rows: 700, users: 200 }
    await Promise.all([
      world.put('data/raced.csv', toUserLog({ rows: 600 })),
      wait(5).then(() => world.put('data/raced.csv', toUserLog(log))),
    ])
    await vi.waitFor(() => expect(world.started.size).toBe(before.size + 2), { timeout: 20_000 })
    const names = [...world.started].filter(name => !before.has(name))
    const ends = await Promise.all(names.map(name => world.running.ended('process', name)))
    expect(ends.map(({ status }) => status)).toContain('SUCCEEDED')
    expect(await world.activity()).toEqual(toExpectedActivity(log))
  })

  it('starts once for an event that is delivered three times at once', async () => {
    const log = { rows: 400, users: 90 }
    const { promise: created, resolve } = Promise.withResolvers<unknown>()
    const before = world.started.size
    const unsubscribe = world.running.services.s3.onObjectCreated(event => resolve({ ...event }))
    await world.put('data/thrice.csv', toUserLog(log))
    const event = await created
    unsubscribe()
    const deliver = () => world.running.invoke('StartProcessing', event) as Promise<{ executionId: string }>
    const [{ executionId }] = await Promise.all([deliver(), deliver(), deliver()])
    const end = await world.running.ended('process', executionId)
    expect(end.status).toBe('SUCCEEDED')
    await expectAgreement(world, end, log)

    expect(await deliver()).toMatchObject({ executionId, started: false })
    expect(world.started.size).toBe(before + 1)

    await world.running.start('process', event, 'by-hand')
    const byHand = await world.running.ended('process', 'by-hand')
    expect(byHand.status).toBe('SUCCEEDED')
    await expectAgreement(world, byHand, log)
  })
})
