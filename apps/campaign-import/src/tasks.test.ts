import { describe, expect, it } from 'vitest'
import { type CampaignContent, status } from './campaign.ts'
import { changeCampaign } from './change-campaign.ts'
import { finalizeImport } from './finalize-import.ts'
import { findStaleImports } from './find-stale-imports.ts'
import { registerCampaign } from './register-campaign.ts'
import { requestUpload } from './request-upload.ts'
import { createMemoryPorts } from './test/memory-ports.ts'

const content: CampaignContent = {
  subject: 'News',
  body_html: '<p>Hello</p>',
  body_text: 'Hello',
  from_address: 'news@example.jp',
  scheduled_at: '2030-01-01T09:00:00+09:00',
  s3_key: 'uploads/a.csv',
}
const input = { ...content, caller: 'ann' }
const context = { now: () => 0 }

async function uploaded() {
  const ports = createMemoryPorts()
  await ports.campaigns.recordUpload(content.s3_key, 'ann')
  await ports.store.put(content.s3_key, 'email\na@example.jp\n')
  return ports
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
    const workflows = { ...ports.workflows, startImport: dyingOnce(ports.workflows.startImport) }
    const call = () => registerCampaign.run(input, { ...ports, workflows }, context)
    await expect(call()).rejects.toMatchObject({ name: 'NetworkError' })
    const { campaign_id } = await call()
    expect(ports.started).toEqual([{ kind: 'import', run: { campaign_id, revision: 1 } }])
    expect(await ports.campaigns.find(campaign_id)).toMatchObject({
      status: status.importing,
      scheduled_at: '2030-01-01T00:00:00.000Z',
    })
  })

  it('refuses a time that has passed by the clock it is given', async () => {
    const late = { now: () => Date.parse('2030-01-01T00:00:00Z') }
    await expect(registerCampaign.run(input, await uploaded(), late)).rejects.toMatchObject({
      name: 'DataValidationError',
      details: { issues: [{ path: 'scheduled_at', message: 'must be in the future' }] },
    })
  })
})

describe('changeCampaign', () => {
  it('needs the CSV only where it is imported again', async () => {
    const ports = await uploaded()
    const { campaign_id } = await registerCampaign.run(input, ports, context)
    const summary = { total: 1, duplicates: 0, rejected: 0, rejectedRows: [] }
    await ports.campaigns.finishImport({ campaign_id, revision: 1 }, summary)
    await ports.store.delete(content.s3_key)
    const edited = { ...input, id: campaign_id, subject: 'Edited' }
    expect(await changeCampaign.run(edited, ports, context)).toEqual({
      campaign_id,
      status: status.scheduled,
    })
    expect(ports.stopped).toEqual([{ campaign_id, revision: 1 }])
    expect(ports.started.at(-1)).toEqual({ kind: 'send', run: { campaign_id, revision: 2 } })

    await ports.campaigns.recordUpload('uploads/b.csv', 'ann')
    const other = { ...edited, s3_key: 'uploads/b.csv' }
    await expect(changeCampaign.run(other, ports, context)).rejects.toMatchObject({
      details: { issues: [{ path: 's3_key', message: 'nothing was uploaded there yet' }] },
    })
  })
})

describe('finalizeImport', () => {
  it.each(['startSend', 'saveExecution'] as const)('goes on where it died, before %s', async step => {
    const ports = await uploaded()
    const { campaign_id } = await ports.campaigns.register('ann', content)
    const run = { campaign_id, revision: 1 }
    await ports.writer.write({
      jobId: `campaign-import:${campaign_id}:1`,
      chunk: '000000',
      checksum: 'x',
      records: () => [{ ...run, email: 'a@example.jp', name: null }],
    })
    const dying = {
      ...ports,
      workflows: {
        ...ports.workflows,
        ...(step === 'startSend' && { startSend: dyingOnce(ports.workflows.startSend) }),
      },
      campaigns: {
        ...ports.campaigns,
        ...(step === 'saveExecution' && { saveExecution: dyingOnce(ports.campaigns.saveExecution) }),
      },
    }
    await expect(finalizeImport.run(run, dying)).rejects.toMatchObject({ name: 'NetworkError' })
    expect(await ports.campaigns.find(campaign_id)).toMatchObject({
      status: status.scheduled,
      execution_arn: null,
    })
    const { execution_arn, total_count } = await finalizeImport.run(run, dying)
    expect(total_count).toBe(1)
    expect(await ports.campaigns.find(campaign_id)).toMatchObject({ execution_arn })
  })
})

describe('requestUpload', () => {
  it('gives a key that only its caller may use', async () => {
    const ports = await uploaded()
    const { s3_key, presigned_url } = await requestUpload.run({ caller: 'bob' }, ports)
    expect(s3_key).toBe('uploads/a-uuid.csv')
    expect(await ports.campaigns.ownerOfUpload(s3_key)).toBe('bob')
    const put = { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: Buffer.from('email\n') }
    expect((await ports.store.request(presigned_url, put)).status).toBe(200)
  })
})

describe('findStaleImports', () => {
  it('counts the imports that have taken more than 30 minutes, as a metric', async () => {
    const ports = await uploaded()
    const { campaign_id } = await ports.campaigns.register('ann', content)
    const added: [string, number][] = []
    const metrics = { add: (name: string, value: number) => added.push([name, value]) }
    const minutes = (count: number) => ({ now: () => count * 60_000, metrics })
    expect(await findStaleImports.run({}, ports, minutes(30))).toEqual({ campaign_ids: [] })
    expect(await findStaleImports.run({}, ports, minutes(31))).toEqual({ campaign_ids: [campaign_id] })
    expect(await findStaleImports.run({ stale_after_minutes: 60 }, ports, minutes(31))).toEqual({
      campaign_ids: [],
    })
    expect(added).toEqual([
      ['StaleImports', 0],
      ['StaleImports', 1],
      ['StaleImports', 0],
    ])
  })
})
