import { describe, expect, it } from 'vitest'

/** Each page's example says in a comment what comes out of it. */
describe('the examples of the guides', () => {
  it('writes a chunk once', async () => {
    const { first, again } = await import('./exactly-once.ts')
    expect(first).toMatchObject({ status: 'written', counts: { received: 2, inserted: 2 } })
    expect(again).toEqual({ ...first, status: 'recorded' })
  })

  it('gives the same receipt for the same order', async () => {
    const { receipts } = await import('./run-once.ts')
    expect(receipts).toEqual(['receipt 1', 'receipt 1', 'receipt 2'])
  })

  it('retries without repeating', async () => {
    const { charges, run } = await import('./lost-answer.ts')
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: { receipt: 'receipt 1' } })
    expect(run.attempts('Charge')).toBe(2)
    expect(charges).toEqual(['A-1'])
  })

  it('cancels a job', async () => {
    const { outcome, pages, view } = await import('./cancel-job.ts')
    expect(view.status).toBe('CANCELLED')
    expect(outcome).toMatchObject({ name: 'JobCancelledError' })
    expect(pages.length).toBeLessThan(100)
  })

  it('proves a trail', async () => {
    const { after, before } = await import('./audit-trail.ts')
    expect(before).toMatchObject({ ok: false, problem: { kind: 'unsealed' } })
    expect(after).toEqual({ ok: true, entries: 2, writers: 1, late: 0 })
  })

  it('runs a state machine for the SDK', async () => {
    const { greeting } = await import('./step-functions-client.ts')
    expect(greeting).toBe('SUCCEEDED "hello Ada"')
  })
  it('maps over objects in memory', async () => {
    const { run } = await import('./map-over-objects.ts')
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: [{ email: 'ann@example.com' }] })
  })

  it('checks a definition without a matcher', async () => {
    await expect(import('./node-test.ts')).resolves.toBeDefined()
  })
})
