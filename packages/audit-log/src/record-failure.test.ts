import { ForbiddenError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { createAuditLog } from './audit-log.ts'
import { createMemoryAuditStore } from './memory-audit-store.ts'
import {
  type FailureEvent,
  type RecordedFailure,
  type RecordFailurePorts,
  recordFailure,
} from './record-failure.ts'
import type { ItemOutcome } from './record-outcomes.ts'
import { all, keys } from './test/audit-trail.ts'

const executionId = 'run-1'
const event = {
  executionId,
  errorType: 'MAP_PROCESSING_FAILURE',
  error: { Error: 'States.Timeout', Cause: 'too slow' },
  timestamp: '2024-08-02T12:34:56.000Z',
}
const rest: readonly ItemOutcome[] = [1, 2, 3].map(itemIndex => ({ itemIndex, logType: 'SYSTEM_ERROR' }))

function world(change: Partial<RecordFailurePorts<FailureEvent>> = {}) {
  const audit = createAuditLog({ store: createMemoryAuditStore(), keys })
  const reports: RecordedFailure[] = []
  const reportFailure = async (_: unknown, recorded: RecordedFailure) => void reports.push({ ...recorded })
  return { audit, reports, ports: { audit, outcomesOfRest: () => rest, reportFailure, ...change } }
}

describe('recordFailure', () => {
  it('records the failure, and items that have no entry, and seals', async () => {
    const { audit, reports, ports } = world()
    await audit.append({ executionId, itemIndex: 2, logType: 'SUCCESS' })
    const { mac } = await recordFailure().run(event, ports)
    const entries = await all(audit.entries({ executionId }))
    expect(entries.map(({ itemIndex, logType }) => [itemIndex, logType])).toEqual([
      [0, 'SYSTEM_ERROR'],
      [1, 'SYSTEM_ERROR'],
      [2, 'SUCCESS'],
      [3, 'SYSTEM_ERROR'],
    ])
    const error = { Error: 'States.Timeout', Cause: 'too slow' }
    expect(entries[0]?.error).toEqual({ ...error, errorType: 'MAP_PROCESSING_FAILURE' })
    expect(await audit.verify(executionId, { mac })).toMatchObject({ ok: true, entries: 4, late: 0 })
    expect(reports).toEqual([{ error, isEveryItemRecorded: true, mac }])
  })

  it('changes nothing when it is called again', async () => {
    const { audit, ports } = world()
    const first = await recordFailure().run(event, ports)
    expect(await recordFailure().run(event, ports)).toEqual(first)
    expect(await audit.verify(executionId)).toMatchObject({ ok: true, late: 0 })
  })

  it.each<[string, RecordFailurePorts<FailureEvent>['outcomesOfRest']]>([
    ['fail', () => failing()],
    ['take too long', () => neverEnding()],
  ])('seals also when the items %s', async (_, outcomesOfRest) => {
    const { audit, reports, ports } = world({ outcomesOfRest })
    expect(await recordFailure().run(event, ports, { remainingMs: () => 50 })).toMatchObject({
      isEveryItemRecorded: false,
    })
    expect(await audit.verify(executionId)).toMatchObject({ ok: true, entries: 1, late: 0 })
    expect(reports).toMatchObject([{ isEveryItemRecorded: false }])
  })

  it('seals also when there was no time for the items from the start', async () => {
    const { audit, ports } = world({ outcomesOfRest: () => neverEnding() })
    const { append, ...slow } = audit
    const stop = new AbortController()
    const appendMissing: typeof audit.appendMissing = entries => {
      const done = audit.appendMissing(entries)
      stop.abort(new Error('no time left'))
      return done
    }
    const task = recordFailure().run(
      event,
      { ...ports, audit: { ...slow, append, appendMissing } },
      { signal: stop.signal },
    )
    expect(await task).toMatchObject({ isEveryItemRecorded: false })
    expect(await audit.verify(executionId)).toMatchObject({ ok: true, entries: 1 })
  }, 1000)

  it('reports also where nothing can be recorded, and says whose failure it was', async () => {
    const { audit, reports, ports } = world()
    const broken = { ...audit, appendMissing: () => Promise.reject(new Error('no table')) }
    await expect(recordFailure().run(event, { ...ports, audit: broken })).rejects.toMatchObject({
      cause: new Error('no table'),
    })
    expect(reports).toMatchObject([{ isEveryItemRecorded: false, mac: undefined }])

    await recordFailure({ isBusiness: ({ error }) => error.Error === 'States.Timeout' }).run(event, ports)
    const [entry] = await all(audit.entries({ executionId }))
    expect(entry?.logType).toBe('BUSINESS_ERROR')
  })

  it('fails with what the report fails with, after the seal', async () => {
    const { audit, ports } = world({ reportFailure: () => Promise.reject(new ForbiddenError('not yours')) })
    await expect(recordFailure({ errors: [ForbiddenError] }).run(event, ports)).rejects.toThrow('not yours')
    expect(await audit.verify(executionId)).toMatchObject({ ok: true })
  })
})

async function* neverEnding(): AsyncGenerator<never> {
  yield await new Promise<never>(() => {})
}

async function* failing(): AsyncGenerator<ItemOutcome> {
  yield* rest.slice(0, 0)
  throw new Error('gone')
}
