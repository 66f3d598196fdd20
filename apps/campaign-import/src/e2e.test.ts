import { createWithholding } from '@stepwright/local-cloud'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { app as declared } from './app.ts'
import { status } from './campaign.ts'
import { contentOf, csvOf, type RunningCampaigns, startCampaigns } from './test/running-campaigns.ts'

const { statementsOf, withhold } = createWithholding(declared)
let app: RunningCampaigns
beforeAll(async () => {
  const reject = (address: string) =>
    address === 'bounce@example.jp' ? 'Address is on the suppression list' : undefined
  app = await startCampaigns({ reject }, { enforcePolicies: statementsOf })
}, 60_000)
afterAll(() => app.stop(), 60_000)

function shiftJis(...hex: string[]) {
  return Buffer.from(hex.join('').replaceAll(' ', ''), 'hex')
}

/** Keeps SendBatch from its work until it is released. */
function holdSending() {
  const entered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  app.intercept('SendBatch', async call => {
    entered.resolve()
    await released.promise
    return call()
  })
  return { entered, released }
}

describe('a campaign', { timeout: 120_000 }, () => {
  it('is imported from its CSV, waits for its time, and is sent to everybody once', async () => {
    const booked = Promise.withResolvers<void>()
    app.intercept('BeginSending', async call => {
      await booked.promise
      return call()
    })
    const csv = `${csvOf(250)}bounce@example.jp,B\nUSER0@example.jp,twice\n`
    const id = await app.register(csv, 1500)
    const { scheduled_at } = await app.waitForStatus(id, status.scheduled)
    expect(await app.show(id)).toMatchObject({
      total_count: 251,
      duplicate_count: 1,
      rejected_count: 0,
      progress: 100,
      sending: null,
    })
    expect(app.services.mailbox.messages).toHaveLength(0)
    const [stored] = await app.query<{ execution_arn: string }>(
      'select execution_arn from notification_campaigns where campaign_id = $1',
      [id],
    )
    expect(stored?.execution_arn).toBe(app.arnOf('send', id))
    booked.resolve()
    expect(await app.waitForStatus(id, status.sent)).toMatchObject({
      progress: 100,
      sending: { sent: 250, bounced: 1, unconfirmed: 0, pending: 0 },
    })
    app.intercept('BeginSending')
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(scheduled_at))
    const addresses = app.services.mailbox.messages.flatMap(({ to }) => to)
    expect(addresses.toSorted()).toEqual(
      Array.from({ length: 250 }, (_, index) => `user${index}@example.jp`).toSorted(),
    )
    expect(app.services.mailbox.messages[0]).toMatchObject({
      from: '=?UTF-8?B?44GK5bqX?= <news@example.jp>',
      subject: 'お知らせ',
      html: '<p>こんにちは</p>',
      text: 'こんにちは',
      tags: { campaign_id: id },
    })
    await app.finished('send', id)
    expect(await app.executions('import', id)).toEqual({ 'import-1': 'SUCCEEDED' })
    expect(await app.executions('send', id)).toEqual({ 'send-1': 'SUCCEEDED' })
  })

  it.each([
    ['with a byte order mark', Buffer.from('\ufeffEmail,Name\na@example.jp,Ann\n'), 'Ann'],
    [
      'in Shift_JIS, from Excel',
      shiftJis(
        '96bc 914f 2c 8381 815b 838b 8341 8368 838c 8358 0d0a', // 名前,メールアドレス
        '8e52 9363 91be 9859 2c', // 山田太郎,
        Buffer.from('a@example.jp\r\n').toString('hex'),
      ),
      '山田太郎',
    ],
    ['with Windows line ends', 'mail,name\r\na@example.jp,Ann\r\n', 'Ann'],
    ['with quoted names', 'email,name\na@example.jp,"Ann ""A"", the\nfirst"\n', 'Ann "A", the\nfirst'],
    ['with blank lines', '\nemail,name\n\n\na@example.jp,Ann\n\n,\n  , \n', 'Ann'],
    ['with semicolons', 'E-Mail;Name\na@example.jp;Ann\n', 'Ann'],
    ['in UTF-16 with tabs', Buffer.from('\ufeffemail\tname\r\na@example.jp\tÄnn\r\n', 'utf16le'), 'Änn'],
    ['without a header', 'a@example.jp\n', null],
    ['with blanks and capitals', 'email\n  A@Example.JP  \n', null],
    ['with the same address twice', 'email,name\na@example.jp,Ann\nA@EXAMPLE.JP,Other\n', 'Ann'],
  ])('takes a file %s', async (_, csv, name) => {
    const id = await app.register(csv)
    await app.waitForStatus(id, status.scheduled)
    expect(await app.recipientsOf(id)).toEqual([{ email: 'a@example.jp', name, send_status: 'pending' }])
  })

  it('reports rows without a usable address, up to the limit', async () => {
    const bad = (count: number) => `email\na@example.jp\n${'nobody\n'.repeat(count)}`
    const few = await app.waitForStatus(await app.register(bad(2)), status.scheduled)
    expect(few).toMatchObject({
      total_count: 1,
      rejected_count: 2,
      rejected_rows: [
        { row: 2, reason: 'this is no e-mail address' },
        { row: 3, reason: 'this is no e-mail address' },
      ],
    })
    const many = await app.waitForStatus(await app.register(bad(1001)), status.importFailed)
    expect(many.failure_reason).toMatchObject({ code: 'TOO_MANY_REJECTED_ROWS' })
  })
})

describe('an import that fails', { timeout: 120_000 }, () => {
  it('through a mistake in the CSV leaves no recipient, and a reason that names the row', async () => {
    const good = csvOf(12_000)
    const broken = `${good}only@example.jp\n${good.slice(good.indexOf('\n') + 1).replaceAll('user', 'other')}`
    const id = await app.register(broken)
    const failed = await app.waitForStatus(id, status.importFailed)
    expect(failed).toMatchObject({
      total_count: null,
      failure_reason: { error: 'CSVValidationError', code: 'COLUMN_COUNT', details: { rowNumber: 12_001 } },
    })
    expect(await app.finished('import', id)).toBe('FAILED')
    expect(await app.recipientsOf(id)).toEqual([])
    expect(await app.executions('send', id)).toEqual({})
  })

  it('through an Excel workbook, which is full of NULs, says so', async () => {
    const workbook = Buffer.concat([
      Buffer.from('504b0304140006000800000021', 'hex'),
      Buffer.alloc(3000, 'a\0,\ud800"\n\0\0'),
    ])
    for (const file of [workbook, Buffer.from('email\0,x\na,b,c\0\n"\0'), Buffer.alloc(64)]) {
      const failed = await app.waitForStatus(await app.register(file), status.importFailed)
      expect(failed.failure_reason).toMatchObject({ error: 'CSVValidationError' })
    }
  })

  it('after the CSV was replaced loses the earlier recipients too', async () => {
    const id = await app.register(csvOf(10))
    await app.finished('import', id)
    const put = await app.call('PUT', `/campaigns/${id}`, contentOf(await app.upload('tel\n1\n')))
    expect(put).toMatchObject({ status: 200, data: { status: status.importing } })
    const failed = await app.waitForStatus(id, status.importFailed)
    expect(failed.failure_reason).toMatchObject({ code: 'EMAIL_COLUMN_MISSING' })
    await app.finished('import', id, 2)
    expect(await app.recipientsOf(id)).toEqual([])
    expect(await app.executions('send', id)).toEqual({ 'send-1': 'ABORTED' })

    const mended = contentOf(await app.upload(csvOf(3, 'mended')))
    await app.call('PUT', `/campaigns/${id}`, mended)
    expect(await app.waitForStatus(id, status.scheduled)).toMatchObject({
      total_count: 3,
      failure_reason: null,
    })
  })

  it('through the system stays 取込中, is found by the alarm, and goes on when it is redriven', async () => {
    const calls: number[] = []
    app.intercept('ImportChunk', async () => {
      calls.push(Date.now())
      throw Object.assign(new Error('connection refused'), { name: 'DatabaseConnectionError' })
    })
    const id = await app.register(csvOf(10))
    expect(await app.finished('import', id)).toBe('FAILED')
    app.intercept('ImportChunk')
    expect(calls).toHaveLength(3)
    expect((await app.show(id)).status).toBe(status.importing)

    const sweep = async () => (await app.invoke('SweepCampaigns', {})) as { stale_imports: string[] }
    expect((await sweep()).stale_imports).not.toContain(id)
    await app.query(
      `update notification_campaigns set updated_at = now() - interval '31 minutes' where campaign_id = $1`,
      [id],
    )
    expect((await sweep()).stale_imports).toContain(id)

    await app.redrive(app.arnOf('import', id))
    expect(await app.waitForStatus(id, status.scheduled)).toMatchObject({ total_count: 10 })
    expect((await sweep()).stale_imports).not.toContain(id)
  })

  it('not when the database restarts in the middle: nothing is lost or doubled', async () => {
    let restarted: Promise<void> | undefined
    app.intercept('ImportChunk', async call => {
      restarted ??= app.services.postgres.restart()
      return call()
    })
    const id = await app.register(csvOf(40_000))
    expect(await app.finished('import', id)).toBe('SUCCEEDED')
    app.intercept('ImportChunk')
    await restarted
    expect(await app.waitForStatus(id, status.scheduled)).toMatchObject({
      total_count: 40_000,
      duplicate_count: 0,
    })
  })
})

describe('PUT /campaigns/{id}', { timeout: 120_000 }, () => {
  it('while importing replaces the import: what the old one still writes is refused', async () => {
    const entered = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const late: unknown[] = []
    app.intercept('ImportChunk', async (call, event) => {
      if ((event as { revision: number }).revision > 1) return call()
      entered.resolve()
      await released.promise
      return call().catch(error => {
        late.push(error.name)
        throw error
      })
    })
    const id = await app.register(csvOf(10, 'old'))
    await entered.promise
    await app.call('PUT', `/campaigns/${id}`, contentOf(await app.upload(csvOf(7, 'new'))))
    const replaced = await app.waitForStatus(id, status.scheduled)
    released.resolve()
    await expect.poll(() => late, { timeout: 20_000 }).toEqual(['SupersededError'])
    app.intercept('ImportChunk')
    expect(replaced).toMatchObject({ total_count: 7 })
    expect((await app.recipientsOf(id)).every(({ email }) => email.startsWith('new'))).toBe(true)
    await app.finished('import', id, 2)
    expect(await app.executions('import', id)).toEqual({ 'import-1': 'ABORTED', 'import-2': 'SUCCEEDED' })
    expect(await app.executions('send', id)).toEqual({ 'send-2': 'RUNNING' })
  })

  it('while waiting replaces the send workflow, without another import', async () => {
    const s3_key = await app.upload(csvOf(3, 'edited'))
    const { data } = await app.call('POST', '/campaigns', contentOf(s3_key))
    const id = data.campaign_id
    await app.finished('import', id)
    const soon = { ...contentOf(s3_key, 4000), subject: '訂正' }
    expect(await app.call('PUT', `/campaigns/${id}`, soon)).toMatchObject({ status: 200 })
    // The same again changes nothing.
    expect(await app.call('PUT', `/campaigns/${id}`, soon)).toMatchObject({ status: 200 })
    await app.waitForStatus(id, status.sent)
    const mails = app.services.mailbox.messages.filter(({ tags }) => tags['campaign_id'] === id)
    expect(mails.map(({ subject }) => subject)).toEqual(['訂正', '訂正', '訂正'])
    expect(await app.executions('import', id)).toEqual({ 'import-1': 'SUCCEEDED' })
    await app.finished('send', id, 2)
    expect(await app.executions('send', id)).toEqual({ 'send-1': 'ABORTED', 'send-2': 'SUCCEEDED' })
    expect(await app.call('PUT', `/campaigns/${id}`, contentOf(s3_key))).toMatchObject({
      status: 409,
      problem: { success: false },
    })
  })

  it('is refused while sending', async () => {
    const { entered, released } = holdSending()
    const id = await app.register(csvOf(2, 'sending'), 1000)
    await entered.promise
    const answer = await app.call('PUT', `/campaigns/${id}`, contentOf(await app.upload(csvOf(1))))
    released.resolve()
    app.intercept('SendBatch')
    expect(answer.status).toBe(409)
    expect(await app.waitForStatus(id, status.sent)).toMatchObject({ sending: { sent: 2 } })
  })
})

describe('POST /campaigns/{id}/pause', { timeout: 60_000 }, () => {
  it('stops the sending; a PUT sends to the rest', async () => {
    const { entered, released } = holdSending()
    const s3_key = await app.upload(csvOf(3, 'paused'))
    const id = (await app.save('POST', '/campaigns', s3_key, 800)).data.campaign_id
    await entered.promise
    expect(await app.call('POST', `/campaigns/${id}/pause`)).toMatchObject({
      status: 200,
      data: { status: status.stopped },
    })
    released.resolve()
    expect(await app.finished('send', id)).toBe('SUCCEEDED')
    app.intercept('SendBatch')
    expect(await app.show(id)).toMatchObject({ status: status.stopped, sending: { sent: 0, pending: 3 } })
    expect(await app.save('PUT', `/campaigns/${id}`, s3_key, 500)).toMatchObject({ status: 200 })
    expect(await app.waitForStatus(id, status.sent)).toMatchObject({ sending: { sent: 3, pending: 0 } })
  })
})

describe('POST /campaigns/{id}/resend of a campaign that was paused', { timeout: 60_000 }, () => {
  const sentTo = (id: string) =>
    app.services.mailbox.messages.filter(({ tags }) => tags['campaign_id'] === id).flatMap(({ to }) => to)

  it('is refused while a sender may be at work, then goes to who is unconfirmed, and to nobody else', async () => {
    const { entered, released } = holdSending()
    const s3_key = await app.upload(csvOf(3, 'held'))
    const id = (await app.save('POST', '/campaigns', s3_key, 800)).data.campaign_id
    await entered.promise
    // As a sender that was killed leaves it: one in flight.
    const held = 'update notification_recipients set send_status = $2, sending_until = now() + $3::interval'
    await app.query(`${held} where campaign_id = $1 and email = 'held1@example.jp'`, [id, 'sending', '30s'])
    await app.query('update notification_campaigns set sending_count = 1 where campaign_id = $1', [id])
    await app.call('POST', `/campaigns/${id}/pause`)
    released.resolve()
    expect(await app.finished('send', id)).toBe('SUCCEEDED')
    app.intercept('SendBatch')
    const resend = () => app.call('POST', `/campaigns/${id}/resend`)
    expect(await resend()).toMatchObject({ status: 409, problem: { code: 'SENDER_AT_WORK' } })
    await app.query(`update notification_recipients set sending_until = now() where campaign_id = $1`, [id])
    expect(await resend()).toMatchObject({ status: 200, data: { status: status.stopped } })
    await expect.poll(async () => (await app.show(id)).resending, { timeout: 20_000 }).toBe(false)
    expect(await app.finished('send', id, 2)).toBe('SUCCEEDED')
    expect(sentTo(id)).toEqual(['held1@example.jp'])
    expect(await app.show(id)).toMatchObject({
      status: status.stopped,
      sending: { sent: 1, unconfirmed: 0, pending: 2 },
    })
    expect(await resend()).toMatchObject({ status: 409, problem: { code: 'NOBODY_UNCONFIRMED' } })
    expect(await app.save('PUT', `/campaigns/${id}`, s3_key, 500)).toMatchObject({ status: 200 })
    expect(await app.waitForStatus(id, status.sent)).toMatchObject({ sending: { sent: 3, pending: 0 } })
    expect(sentTo(id).toSorted()).toEqual(['held0@example.jp', 'held1@example.jp', 'held2@example.jp'])
  })
})

describe('POST /campaigns/{id}/cancel', { timeout: 60_000 }, () => {
  it('ends what is scheduled: nothing is sent, and nothing can be changed any more', async () => {
    const s3_key = await app.upload(csvOf(2, 'cancelled'))
    const id = (await app.save('POST', '/campaigns', s3_key, 3000)).data.campaign_id
    await app.waitForStatus(id, status.scheduled)
    const cancel = () => app.call('POST', `/campaigns/${id}/cancel`)
    expect(await app.call('POST', `/campaigns/${id}/cancel`, undefined, 'bob')).toMatchObject({ status: 404 })
    expect(await cancel()).toMatchObject({ status: 200, data: { status: status.cancelled } })
    expect(await cancel()).toMatchObject({ status: 200, data: { status: status.cancelled } })
    expect(await app.finished('send', id)).toBe('ABORTED')
    expect(await app.call('PUT', `/campaigns/${id}`, contentOf(s3_key))).toMatchObject({
      status: 409,
      problem: { code: 'CAMPAIGN_CANCELLED' },
    })
    expect(await app.call('POST', `/campaigns/${id}/resend`)).toMatchObject({ status: 409 })
    const mails = app.services.mailbox.messages.filter(({ tags }) => tags['campaign_id'] === id)
    expect(mails).toEqual([])
  })
})

describe('what comes after a mail', { timeout: 60_000 }, () => {
  const sentTo = (id: string) =>
    app.services.mailbox.messages.filter(({ tags }) => tags['campaign_id'] === id)

  it('is taken in from SES: who bounced or complained gets no more mail', async () => {
    const simulated = ['bounce', 'complaint', 'ooto'].map(name => `${name}@simulator.amazonses.com`)
    app.services.mailbox.clear()
    const csv = ['email', ...simulated, 'fine@example.jp'].join('\n')
    const id = await app.register(csv, 500)
    await app.waitForStatus(id, status.sent)
    const settled = { sent: 2, bounced: 1, complained: 1, suppressed: 0, unconfirmed: 0 }
    await expect.poll(async () => (await app.show(id)).sending, { timeout: 20_000 }).toMatchObject(settled)
    expect(sentTo(id)[0]).toMatchObject({
      configurationSet: 'campaign-import-campaigns',
      tags: { revision: '1' },
    })
    const again = await app.register(csv, 500)
    const shown = await app.waitForStatus(again, status.sent)
    expect(shown.sending).toMatchObject({ sent: 2, bounced: 0, suppressed: 2, pending: 0 })
  })

  it('is unsubscribed from with one click, or by a page that asks first; never by looking at it', async () => {
    const id = await app.register('email\nleaving@example.jp\nstaying@example.jp\n', 500)
    await app.waitForStatus(id, status.sent)
    const mail = sentTo(id).find(({ to }) => to[0] === 'leaving@example.jp')
    const url = mail?.headers['List-Unsubscribe']?.slice(1, -1) ?? ''
    expect(url).toContain(`${app.gateway?.endpoint}/unsubscribe?`)
    const page = await fetch(url)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('<form method="post">')
    const addresses = () => app.query('select address from mail_suppressions where source = $1', [id])
    expect(await addresses()).toEqual([])
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const oneClick = await fetch(url, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })
    expect([oneClick.status, await oneClick.text()]).toEqual([200, expect.stringContaining('停止しました')])
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200)
    expect(await addresses()).toEqual([{ address: 'leaving@example.jp' }])
    const forged = url.slice(0, -3)
    expect([(await fetch(forged)).status, (await fetch(forged, { method: 'POST' })).status]).toEqual([
      403, 403,
    ])
  })

  it('is sent once more to who may have got nothing, when staff say so', async () => {
    const id = await app.register('email\nlost@example.jp\nfound@example.jp\n', 500)
    await app.waitForStatus(id, status.sent)
    expect(await app.call('POST', `/campaigns/${id}/resend`)).toMatchObject({ status: 409 })
    await app.finished('send', id)
    await app.loseSightOf(id, 'lost@example.jp')
    expect(await app.call('POST', `/campaigns/${id}/resend`, undefined, 'bob')).toMatchObject({ status: 404 })
    expect(await app.call('POST', `/campaigns/${id}/resend`)).toMatchObject({
      status: 200,
      data: { status: status.scheduled },
    })
    const resent = await app.waitForStatus(id, status.sent)
    expect(resent.sending).toMatchObject({ sent: 2, unconfirmed: 0 })
    const addresses = sentTo(id).map(({ to }) => to[0])
    expect(addresses.toSorted()).toEqual(['found@example.jp', 'lost@example.jp', 'lost@example.jp'])
  })
})

describe('POST /campaigns', { timeout: 60_000 }, () => {
  it('twice, also at once, gives one campaign and one import', async () => {
    const content = contentOf(await app.upload(csvOf(5)))
    const answers = await Promise.all([1, 2, 3].map(() => app.call('POST', '/campaigns', content)))
    const [id] = answers.map(({ data }) => data.campaign_id)
    expect(new Set(answers.map(({ data }) => data.campaign_id)).size).toBe(1)
    await app.finished('import', id)
    expect((await app.call('POST', '/campaigns', content)).data).toEqual({ campaign_id: id })
    expect(await app.executions('import', id)).toEqual({ 'import-1': 'SUCCEEDED' })
    expect(await app.executions('send', id)).toEqual({ 'send-1': 'RUNNING' })
    const other = await app.call('POST', '/campaigns', { ...content, subject: 'another' })
    expect(other).toMatchObject({ status: 409, problem: { code: 'UPLOAD_IN_USE' } })
  })

  it.each([
    ['subject', { subject: '' }],
    ['subject', { subject: 'two\nlines' }],
    ['subject', { subject: ' \u3000 ' }],
    ['subject', { subject: 'two\u2028lines' }],
    ['subject', { subject: 'half \ud83c' }],
    ['body_text', { body_text: 'nul \0' }],
    ['from_address', { from_address: 'news@not-ours.example' }],
    ['from_address', { from_address: 'a@b <news@example.jp>' }],
    ['body_html', { body_html: undefined }],
    ['from_address', { from_address: 'nobody' }],
    ['from_address', { from_address: 'A <a@example.jp>, B <b@example.jp>' }],
    ['scheduled_at', { scheduled_at: 'tomorrow' }],
    ['scheduled_at', { scheduled_at: '2020-01-01T00:00:00Z' }],
    ['scheduled_at', { scheduled_at: '2099-01-01T00:00:00Z' }],
    ['s3_key', { s3_key: '../secrets.csv' }],
    ['colour', { colour: 'red' }],
  ])('refuses a bad %s and names it', async (path, wrong) => {
    const content = contentOf(await app.upload('email\na@example.jp\n'))
    const { status: code, problem } = await app.call('POST', '/campaigns', { ...content, ...wrong })
    expect(code).toBe(400)
    expect(JSON.stringify(problem)).toContain(`"path":"${path}"`)
  })

  it('fails where its role lacks what it needs, and works when it has it', async () => {
    const content = contentOf(await app.upload(csvOf(1)))
    withhold('RegisterCampaign', 'StartExecutions')
    const refused = await app.call('POST', '/campaigns', content)
    withhold()
    expect(refused.status).toBeGreaterThanOrEqual(500)
    expect((await app.call('POST', '/campaigns', content)).status).toBe(202)
  })

  it("refuses another caller's upload as one that does not exist", async () => {
    const theirs = await app.call('POST', '/campaigns', contentOf(await app.upload('email\n', 'bob')))
    const unknown = await app.call('POST', '/campaigns', contentOf('uploads/unknown.csv'))
    expect([theirs.status, unknown.status]).toEqual([403, 403])
    expect(theirs.problem.detail).toBe(unknown.problem.detail)
  })

  it('refuses an upload that has not arrived', async () => {
    const { data } = await app.call('GET', '/presigned-url?content_length=1')
    const { status: code, problem } = await app.call('POST', '/campaigns', contentOf(data.s3_key))
    expect(code).toBe(400)
    expect(JSON.stringify(problem)).toContain('nothing was uploaded there yet')
  })
})

describe('GET', { timeout: 60_000 }, () => {
  it('/presigned-url gives a key of its own each time, for 15 minutes and text/csv alone', async () => {
    const { data } = await app.call('GET', '/presigned-url?content_length=3')
    expect(data.s3_key).toMatch(/^uploads\/[0-9a-f-]{36}\.csv$/)
    expect(new URL(data.presigned_url).searchParams.get('X-Amz-Expires')).toBe('900')
    const html = { method: 'PUT', headers: { 'content-type': 'text/html' }, body: '<p>' }
    expect((await fetch(data.presigned_url, html)).status).toBe(403)
    const bound = data.presigned_url
    const put = (body: string) =>
      fetch(bound, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body })
    expect([(await put('four')).status, (await put('one')).status]).toEqual([403, 200])
    for (const query of ['', '?content_length=none', `?content_length=${1024 ** 3 + 1}`]) {
      expect((await app.call('GET', `/presigned-url${query}`)).status).toBe(400)
    }
  })

  it('/campaigns lists the caller’s own, the newest first', async () => {
    const upload = async () => contentOf(await app.upload(csvOf(1), 'carol'))
    const register = async () =>
      (await app.call('POST', '/campaigns', await upload(), 'carol')).data.campaign_id
    const ids = [await register(), await register()]
    const { data } = await app.call('GET', '/campaigns', undefined, 'carol')
    expect(data.campaigns.map((each: { campaign_id: string }) => each.campaign_id)).toEqual(ids.toReversed())
    const rest = await app.call('GET', `/campaigns?before=${ids[1]}`, undefined, 'carol')
    expect(rest.data.campaigns).toMatchObject([{ campaign_id: ids[0], subject: 'お知らせ' }])
  })

  it('/campaigns/{id} tells nothing of other callers’ campaigns, and nothing without a token', async () => {
    const id = await app.register(csvOf(1))
    expect((await app.call('GET', `/campaigns/${id}`, undefined, 'bob')).status).toBe(404)
    expect((await app.call('PUT', `/campaigns/${id}`, contentOf('uploads/a.csv'), 'bob')).status).toBe(404)
    expect((await app.call('GET', '/campaigns/nonsense')).status).toBe(404)
    expect((await fetch(`${app.gateway?.endpoint}/campaigns/${id}`)).status).toBe(401)
  })
})
