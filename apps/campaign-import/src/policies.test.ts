import { createWithholding } from '@stepwright/local-cloud'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { app } from './app.ts'
import { status } from './campaign.ts'
import { contentOf, csvOf, type RunningCampaigns, startCampaigns } from './test/running-campaigns.ts'

const timeout = 60_000
const { statements, statementsOf, withhold, withoutRetries } = createWithholding(app)

describe('what the roles are allowed', { timeout }, () => {
  let running: RunningCampaigns
  beforeAll(async () => {
    const definitions = { import: withoutRetries('import'), send: withoutRetries('send') }
    running = await startCampaigns({}, { enforcePolicies: statementsOf, definitions })
  }, timeout)
  afterAll(() => running.stop(), timeout)

  async function upload(csv: string): Promise<string> {
    const { data } = await running.call('GET', `/presigned-url?content_length=${Buffer.byteLength(csv)}`)
    const put = await fetch(data.presigned_url, {
      method: 'PUT',
      headers: { 'content-type': 'text/csv' },
      body: csv,
    })
    if (!put.ok) throw new Error(`the upload is refused: ${put.status}`)
    return data.s3_key
  }

  async function register(s3_key: string, inMs?: number): Promise<string> {
    const { status: code, data } = await running.save('POST', '/campaigns', s3_key, inMs)
    if (code !== 202) throw new Error(`the campaign is refused: ${code}`)
    return data.campaign_id
  }

  async function isSent(): Promise<boolean> {
    const id = await register(await upload(csvOf(20)), 500)
    if ((await running.finished('import', id)) !== 'SUCCEEDED') return false
    if ((await running.finished('send', id)) !== 'SUCCEEDED') return false
    const { data } = await running.call('GET', `/campaigns/${id}`)
    return data.status === status.sent
  }

  /** What is not there is told from what is forbidden: the caller hears of it, or the import fails as it should. */
  async function tellsWhatIsMissing(): Promise<boolean> {
    const { data } = await running.call('GET', '/presigned-url?content_length=10')
    const notThere = await running.save('POST', '/campaigns', data.s3_key)
    if (notThere.status !== 400) return false
    const s3_key = await upload(csvOf(3))
    const id = await register(s3_key)
    await running.finished('import', id)
    const changed = await running.save('PUT', `/campaigns/${id}`, data.s3_key)
    return changed.status === 400
  }

  async function isChanged(): Promise<boolean> {
    const s3_key = await upload(csvOf(3))
    const id = await register(s3_key)
    await running.finished('import', id)
    const { status: code } = await running.call('PUT', `/campaigns/${id}`, {
      ...contentOf(s3_key),
      subject: '訂正',
    })
    return code === 200 && (await running.finished('send', id)) === 'ABORTED'
  }

  async function isCancelled(): Promise<boolean> {
    const id = await register(await upload(csvOf(3)))
    await running.finished('import', id)
    const { status: code } = await running.call('POST', `/campaigns/${id}/cancel`)
    return code === 200 && (await running.finished('send', id)) === 'ABORTED'
  }

  async function isResent(): Promise<boolean> {
    const id = await register(await upload('email\nlost@example.jp\nfound@example.jp\n'), 500)
    if ((await running.finished('import', id)) !== 'SUCCEEDED') return false
    await running.finished('send', id)
    await running.loseSightOf(id, 'lost@example.jp')
    return (await running.call('POST', `/campaigns/${id}/resend`)).status === 200
  }

  async function isSwept(): Promise<boolean> {
    running.intercept('ImportChunk', async () => {
      throw Object.assign(new Error('connection refused'), { name: 'DatabaseConnectionError' })
    })
    const id = await register(await upload(csvOf(3)))
    await running.finished('import', id)
    running.intercept('ImportChunk')
    await running.query(
      `update notification_campaigns set updated_at = now() - interval '31 minutes' where campaign_id = $1`,
      [id],
    )
    const { restarted } = (await running.invoke('SweepCampaigns', {})) as { restarted: string[] }
    return restarted.includes(id)
  }

  async function isShownBeforeItsManifest(): Promise<boolean> {
    const held = Promise.withResolvers<void>()
    running.intercept('SplitCSV', async call => {
      await held.promise
      return call()
    })
    try {
      const id = await register(await upload(csvOf(3)))
      return (await running.call('GET', `/campaigns/${id}`)).status === 200
    } finally {
      running.intercept('SplitCSV')
      held.resolve()
    }
  }

  /** An upload, or a chunk of it, that goes away fails the import as wrong data does: nobody tries again. */
  async function noticesWhatGoes(before: 'SplitCSV' | 'ImportChunk'): Promise<boolean> {
    let failed: unknown
    running.intercept(before, async (call, event) => {
      const text = JSON.stringify(event)
      const gone = text.replaceAll(/(uploads|chunks)\/[^"]*/g, '$1/gone.csv')
      running.intercept(before)
      void call
      return running.invoke(before, JSON.parse(gone)).catch(error => {
        failed = error
        throw error
      })
    })
    const id = await register(await upload(csvOf(3)))
    await running.finished('import', id)
    return (failed as Error | undefined)?.name === 'CSVValidationError'
  }

  const scenarios: Readonly<Record<string, () => Promise<boolean>>> = {
    'SplitCSV TellMissingFromForbidden': () => noticesWhatGoes('SplitCSV'),
    'ImportChunk TellMissingFromForbidden': () => noticesWhatGoes('ImportChunk'),
    'RegisterCampaign TellMissingFromForbidden': tellsWhatIsMissing,
    'ChangeCampaign TellMissingFromForbidden': tellsWhatIsMissing,
    'ShowCampaign ReadObjects': isShownBeforeItsManifest,
    'ShowCampaign TellMissingFromForbidden': isShownBeforeItsManifest,
    CancelCampaign: isCancelled,
    ChangeCampaign: isChanged,
    ResendCampaign: isResent,
    SweepCampaigns: isSwept,
  }
  const scenarioOf = (role: string, sid: string) => scenarios[`${role} ${sid}`] ?? scenarios[role] ?? isSent

  it('is enough for everything', { timeout: 2 * timeout }, async () => {
    withhold()
    for (const works of new Set([...Object.values(scenarios), isSent]))
      expect([works, await works()]).toEqual([works, true])
  })

  it.each(statements)('is too little without that of %s: %s', async (role, sid) => {
    withhold(role, sid)
    const works = await scenarioOf(role, sid)().catch(() => false)
    withhold()
    expect(works).toBe(false)
  })
})
