import { describe, expect, it } from 'vitest'
import { parseAuditKeys } from './audit-keys.ts'
import { createAuditLog } from './audit-log.ts'
import { createMemoryAuditStore } from './memory-audit-store.ts'
import { keys, otherThan, type Snapshot, success } from './test/audit-trail.ts'
import { createSealedTrail } from './test/sealed-trail.ts'

const { verify } = await createSealedTrail()

function change<T extends object>(records: T[], index: number, field: string): void {
  const record = records[index] as Record<string, unknown>
  records[index] = { ...record, [field]: otherThan(record[field]) } as T
}

describe('verifyExecution', () => {
  it('finds a seal that is missing, changed or of another execution', async () => {
    const without = await verify(trail => {
      trail.seal = undefined
    })
    expect(without).toMatchObject({ ok: false, problem: { kind: 'unsealed', record: 'seal' } })
    for (const field of ['executionId', 'chains', 'entries', 'sealedAt', 'expiresAt', 'mac']) {
      const result = await verify(trail => {
        const seals = [trail.seal as object]
        change(seals, 0, field)
        trail.seal = seals[0] as Snapshot['seal']
      })
      expect(result).toMatchObject({ ok: false, problem: { kind: 'changed', record: 'seal' } })
    }
  })

  it('takes no seal but the one whose MAC was kept', async () => {
    const store = createMemoryAuditStore()
    const log = createAuditLog({ store, keys })
    await log.appendAll([success(0), success(1)])
    const { mac } = await log.seal('run')
    expect(await log.verify('run', { mac })).toMatchObject({ ok: true })
    // Whoever has the keys can make a whole new trail without an entry; it is not the one that was sealed.
    const forged = createMemoryAuditStore()
    const forger = createAuditLog({ store: forged, keys })
    await forger.append(success(0))
    await forger.seal('run')
    expect(await forger.verify('run')).toMatchObject({ ok: true })
    expect(await forger.verify('run', { mac })).toMatchObject({
      ok: false,
      problem: { kind: 'changed', record: 'seal', message: 'the seal is not the one whose MAC was kept' },
    })
  })

  it('takes no seal that a writer of entries signed, where seals have a key of their own', async () => {
    const store = createMemoryAuditStore()
    const sealKeys = parseAuditKeys(`s1:${Buffer.alloc(32, 9).toString('base64')}`)
    const writer = createAuditLog({ store, keys })
    const sealer = createAuditLog({ store, keys, sealKeys })
    await writer.append(success(0))
    await writer.seal('run')
    expect(await sealer.verify('run')).toMatchObject({ ok: false, problem: { kind: 'unknown-key' } })
    await writer.append(success(0, { executionId: 'other' }))
    await sealer.seal('other')
    expect(await sealer.verify('other')).toMatchObject({ ok: true })
  })
})
