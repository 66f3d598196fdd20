import { describe, expect, it } from 'vitest'
import { status } from './campaign.ts'
import type { CampaignContent } from './campaigns.ts'
import { cancelCampaign } from './cancel-campaign.ts'
import { changeCampaign } from './change-campaign.ts'
import { pauseCampaign } from './pause-campaign.ts'
import { registerCampaign } from './register-campaign.ts'
import { requestUpload } from './request-upload.ts'
import { showCampaign } from './show-campaign.ts'
import { splitRecipients } from './split-recipients.ts'
import { startSending } from './start-sending.ts'
import { sweepCampaigns } from './sweep-campaigns.ts'
import { createMemoryPorts } from './test/memory-ports.ts'

const content: Omit<CampaignContent, 's3_etag' | 'from_name'> = {
  subject: 'News',
  body_html: '<p>Hello</p>',
  body_text: 'Hello',
  from_address: 'news@example.jp',
  scheduled_at: '1970-06-01T09:00:00+09:00',
  s3_key: 'uploads/a.csv',
}
const input = { ...content, caller: 'ann' }
const context = { now: () => 0 }
const counts = { total_count: 1, duplicate_count: 0, rejected_count: 0, rejected_rows: [] }

async function uploaded(options: Parameters<typeof createMemoryPorts>[0] = {}) {
  const ports = createMemoryPorts(options)
  await ports.campaigns.recordUpload(content.s3_key, 'ann')
  await ports.store.put(content.s3_key, 'email\na@example.jp\n')
  return ports
}

async function scheduled() {
  const ports = await uploaded()
  const { campaign_id } = await registerCampaign.run(input, ports, context)
  await ports.campaigns.finishImport({ campaign_id, revision: 1 }, counts, 'arn')
  return { ports, campaign_id, run: { campaign_id, revision: 1 } }
}

/** Fails at the first call, as if the process had died there. */
function dyingOnce<T extends unknown[], R>(work: (...args: T) => Promise<R>): (...args: T) => Promise<R> {
  let died = false
  return async (...args) => {
    if (died) return work(...args)
    died = true
    throw Object.assign(new Error('connection reset'), { code: 'ECONNRESET' })
  }
}

describe('registerCampaign', () => {
  it('starts the import at the second call where the first died after creating the campaign', async () => {
    const ports = await uploaded()
    ports.executions.start = dyingOnce(ports.executions.start)
    const call = () => registerCampaign.run(input, ports, context)
    await expect(call()).rejects.toMatchObject({ name: 'NetworkError' })
    const { campaign_id } = await call()
    expect(ports.started()).toEqual([[`import-${campaign_id}-1`, 'RUNNING']])
    expect(await ports.campaigns.find(campaign_id)).toMatchObject({
      status: status.importing,
      scheduled_at: '1970-06-01T00:00:00.000Z',
    })
  })

  it('imports the corrected file under the same key, and nothing if the file is the same', async () => {
    const ports = await uploaded()
    const call = () => registerCampaign.run(input, ports, context)
    const { campaign_id } = await call()
    await ports.campaigns.failImport({ campaign_id, revision: 1 }, { error: 'E', message: 'm' })
    await call()
    expect((await ports.campaigns.find(campaign_id))?.status).toBe(status.importFailed)
    await ports.store.put(content.s3_key, 'email\nb@example.jp\n')
    expect(await call()).toEqual({ campaign_id })
    expect(await ports.campaigns.find(campaign_id)).toMatchObject({
      status: status.importing,
      revision: 2,
      failure_reason: null,
    })
    expect(ports.started().at(-1)).toEqual([`import-${campaign_id}-2`, 'RUNNING'])
  })

  it.each(['1970-06-01T09:00+09:00', '1970-06-01T00:00Z', '1970-06-01T09:00:00.000+09:00'])(
    'takes the time %s',
    async scheduled_at => {
      const ports = await uploaded()
      const { campaign_id } = await registerCampaign.run({ ...input, scheduled_at }, ports, context)
      const { scheduled_at: kept } = (await ports.campaigns.find(campaign_id)) ?? {}
      expect(kept).toBe('1970-06-01T00:00:00.000Z')
    },
  )

  it('says why not when another file comes after the sending has begun', async () => {
    const { ports, run } = await scheduled()
    await ports.campaigns.beginSending(run)
    await ports.store.put(content.s3_key, 'email\nb@example.jp\n')
    await expect(registerCampaign.run(input, ports, context)).rejects.toMatchObject({ name: 'ConflictError' })
  })

  it.each([
    ['scheduled_at', '1970-01-01T00:00:00Z', 'must be in the future'],
    ['scheduled_at', '1971-01-01T00:00:01Z', 'must be at most 364 days ahead'],
    ['from_address', 'news@example.com', 'must be a sender that you are allowed to use'],
    ['from_address', 'news@mail.example.jp', 'must be a sender that you are allowed to use'],
  ])('refuses %s %s', async (path, value, message) => {
    const given = { ...input, [path]: value }
    await expect(registerCampaign.run(given, await uploaded(), context)).rejects.toMatchObject({
      name: 'DataValidationError',
      details: { issues: [{ path, message }] },
    })
  })
})

describe('changeCampaign', () => {
  it('needs the CSV only where it is imported again', async () => {
    const { ports, campaign_id } = await scheduled()
    await ports.store.delete(content.s3_key)
    const edited = { ...input, id: campaign_id, subject: 'Edited' }
    expect(await changeCampaign.run(edited, ports, context)).toEqual({
      campaign_id,
      status: status.scheduled,
    })
    expect(ports.started()).toEqual([
      [`import-${campaign_id}-1`, 'ABORTED'],
      [`send-${campaign_id}-2`, 'RUNNING'],
    ])

    await ports.campaigns.recordUpload('uploads/b.csv', 'ann')
    const other = { ...edited, s3_key: 'uploads/b.csv' }
    await expect(changeCampaign.run(other, ports, context)).rejects.toMatchObject({
      details: { issues: [{ path: 's3_key', message: 'nothing was uploaded there yet' }] },
    })
  })

  it('imports a new CSV under the same key', async () => {
    const { ports, campaign_id } = await scheduled()
    const same = { ...input, id: campaign_id }
    expect(await changeCampaign.run(same, ports, context)).toMatchObject({ status: status.scheduled })
    await ports.store.put(content.s3_key, 'email\nb@example.jp\n')
    expect(await changeCampaign.run(same, ports, context)).toMatchObject({ status: status.importing })
    expect(ports.started().at(-1)).toEqual([`import-${campaign_id}-2`, 'RUNNING'])
  })

  it('sends to the rest of a campaign that was paused', async () => {
    const { ports, campaign_id, run } = await scheduled()
    const pause = () => pauseCampaign.run({ caller: 'ann', id: campaign_id }, ports)
    await expect(pause()).rejects.toMatchObject({ code: 'NOT_SENDING' })
    await ports.campaigns.beginSending(run)
    expect(await pause()).toEqual({ campaign_id, status: status.stopped })
    expect(await pause()).toEqual({ campaign_id, status: status.stopped })
    const resumed = await changeCampaign.run({ ...input, id: campaign_id }, ports, context)
    expect(resumed).toEqual({ campaign_id, status: status.scheduled })
    expect(ports.started().at(-1)).toEqual([`send-${campaign_id}-2`, 'RUNNING'])
  })
})

describe('cancelCampaign', () => {
  const cancel = (ports: ReturnType<typeof createMemoryPorts>, id: string, caller = 'ann') =>
    cancelCampaign.run({ caller, id }, ports)

  it('stops the import, also at the second call where the first died before that', async () => {
    const ports = await uploaded()
    const { campaign_id } = await registerCampaign.run(input, ports, context)
    ports.executions.stop = dyingOnce(ports.executions.stop)
    await expect(cancel(ports, campaign_id)).rejects.toMatchObject({ name: 'NetworkError' })
    expect(await cancel(ports, campaign_id)).toEqual({ campaign_id, status: status.cancelled })
    expect(await cancel(ports, campaign_id)).toEqual({ campaign_id, status: status.cancelled })
    expect(ports.started()).toEqual([[`import-${campaign_id}-1`, 'ABORTED']])
    expect(await showCampaign.run({ caller: 'ann', id: campaign_id }, ports)).toMatchObject({ sending: null })
    const again = { ...input, id: campaign_id }
    await expect(changeCampaign.run(again, ports, context)).rejects.toMatchObject({
      code: 'CAMPAIGN_CANCELLED',
    })
  })

  it('cancels what is scheduled, but neither what is being sent nor what belongs to another', async () => {
    const { ports, campaign_id, run } = await scheduled()
    await startSending.run({ ...run, scheduled_at: content.scheduled_at }, ports)
    await expect(cancel(ports, campaign_id, 'bob')).rejects.toMatchObject({ name: 'NotFoundError' })
    await ports.campaigns.beginSending(run)
    await expect(cancel(ports, campaign_id)).rejects.toMatchObject({ name: 'ConflictError' })
    await ports.campaigns.stopSending(run, null)
    expect(await cancel(ports, campaign_id)).toEqual({ campaign_id, status: status.cancelled })
    expect(ports.started().at(-1)).toEqual([`send-${campaign_id}-1`, 'ABORTED'])
  })
})

describe('requestUpload', () => {
  it('gives a key that only its caller may use', async () => {
    const ports = await uploaded()
    const input = { ownerId: 'bob', contentLength: '6' }
    const { s3_key, presigned_url } = await requestUpload.run(input, ports)
    expect(s3_key).toBe('uploads/a-uuid.csv')
    expect(await ports.campaigns.ownerOfUpload(s3_key)).toBe('bob')
    const put = { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: Buffer.from('email\n') }
    expect((await ports.store.request(presigned_url, put)).status).toBe(200)
    const longer = { ...put, body: Buffer.from('email\na') }
    expect((await ports.store.request(presigned_url, longer)).status).toBe(403)
  })

  it.each([undefined, '', '0', 'many', String(1024 ** 3 + 1)])('refuses the size %s', async contentLength => {
    const input = { ownerId: 'bob', contentLength: contentLength as string }
    await expect(requestUpload.run(input, await uploaded())).rejects.toMatchObject({
      name: 'DataValidationError',
      message: expect.stringContaining('must be a whole number from 1 to 1073741824'),
    })
  })
})

describe('showCampaign', () => {
  it('tells how far an import is', async () => {
    const ports = await uploaded()
    const { campaign_id } = await registerCampaign.run(input, ports, context)
    const progress = async () => (await showCampaign.run({ caller: 'ann', id: campaign_id }, ports)).progress
    expect(await progress()).toBe(0)
    await ports.store.put(content.s3_key, 'email\na@x.jp\nb@x.jp\nc@x.jp\nd@x.jp\n')
    await splitRecipients.run({ key: content.s3_key, id: `${campaign_id}-1` }, ports)
    await ports.writer.write({
      jobId: `campaign-import:${campaign_id}:1`,
      chunk: '000000',
      checksum: 'x',
      records: () => [{ campaign_id, revision: 1, email: 'a@example.jp', name: null, fields: null }],
    })
    const shown = await showCampaign.run({ caller: 'ann', id: campaign_id }, ports)
    expect(shown).toMatchObject({ progress: 25, sending: null })
  })
})

describe('sweepCampaigns', () => {
  const added: [string, number][] = []
  const metrics = { add: (name: string, value: number) => added.push([name, value]) }
  const at = (minutes: number) => ({ now: () => minutes * 60_000, metrics })

  it('counts imports that take more than 30 minutes, and starts those anew that nobody works at', async () => {
    const ports = await uploaded()
    const { campaign_id } = await registerCampaign.run(input, ports, context)
    const nothing = { stale_imports: [], overdue_sends: [], restarted: [] }
    expect(await sweepCampaigns.run({}, ports, at(30))).toEqual(nothing)
    const stale = { ...nothing, stale_imports: [campaign_id] }
    expect(await sweepCampaigns.run({}, ports, at(31))).toEqual(stale)
    expect(added.splice(0)).toEqual([
      ['StaleImports', 0],
      ['OverdueSends', 0],
      ['StaleImports', 1],
      ['OverdueSends', 0],
    ])
    for (const restart of [1, 2, 3]) {
      for (const { executionArn } of ports.executions.all()) {
        ports.executions.end(executionArn, { status: 'FAILED' })
      }
      expect(await sweepCampaigns.run({}, ports, at(31))).toEqual({ ...stale, restarted: [campaign_id] })
      expect(ports.started().at(-1)).toEqual([`import-${campaign_id}-1-${restart}`, 'RUNNING'])
      expect(await sweepCampaigns.run({}, ports, at(31))).toEqual(stale)
    }
    ports.executions.end(String(ports.executions.all().at(-1)?.executionArn), { status: 'FAILED' })
    expect(await sweepCampaigns.run({}, ports, at(31))).toEqual(stale)
  })

  it('starts a sending that was never started, or has died', async () => {
    const { ports, campaign_id, run } = await scheduled()
    const due = Date.parse(content.scheduled_at) / 60_000
    const overdue = { stale_imports: [], overdue_sends: [campaign_id], restarted: [campaign_id] }
    expect(await sweepCampaigns.run({}, ports, at(due + 6))).toEqual(overdue)
    expect(ports.started().at(-1)).toEqual([`send-${campaign_id}-1-1`, 'RUNNING'])
    await ports.campaigns.beginSending(run)
    expect(await sweepCampaigns.run({}, ports, at(16))).toEqual({ ...overdue, restarted: [] })
    ports.executions.end(String(ports.executions.all().at(-1)?.executionArn), { status: 'FAILED' })
    expect(await sweepCampaigns.run({}, ports, at(16))).toEqual(overdue)
    expect(ports.started().at(-1)).toEqual([`send-${campaign_id}-1-2`, 'RUNNING'])
  })
})
