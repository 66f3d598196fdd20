import { readFileSync } from 'node:fs'
import type { StateMachine } from '@stepwright/asl'
import { type BoundTask, errorMatrix, runWorkflow } from '@stepwright/asl-engine/testing'
import { DatabaseConnectionError, parseCause } from '@stepwright/errors'
import type { AnyTask } from '@stepwright/task'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { describe, expect, it } from 'vitest'
import { app } from './app.ts'
import { status } from './campaign.ts'
import type { CampaignContent } from './campaigns.ts'
import { createMemoryPorts } from './test/memory-ports.ts'

function read(name: string): StateMachine {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
}
const importMachine = read('import.asl.json')
const sendMachine = read('send.asl.json')

const content: Omit<CampaignContent, 's3_etag'> = {
  subject: 'News',
  body_html: '<p>Hello</p>',
  body_text: 'Hello',
  from_address: 'news@example.jp',
  from_name: 'お店',
  scheduled_at: '1970-01-01T01:00:00.000Z',
  s3_key: 'uploads/a.csv',
}

type Ports = ReturnType<typeof createMemoryPorts>

function silence() {}
const quiet = {
  logger: { debug: silence, info: silence, warn: silence, error: silence },
  metrics: { addMetric: silence, addMetadata: silence, publishStoredMetrics: silence },
}

/** The tasks as their Lambda handlers, on ports that are asked for at each call. */
function bindAll(ports: () => Ports): Record<string, BoundTask> {
  const bindOne = (task: AnyTask): BoundTask => ({
    bound: true,
    name: task.name,
    errors: task.errors as BoundTask['errors'],
    run: input => toLambdaHandler(task, { ports: ports() as never, ...quiet })(input),
  })
  return Object.fromEntries(Object.entries(app.functions).map(([name, { task }]) => [name, bindOne(task)]))
}

const substitutions = Object.fromEntries(Object.keys(app.functions).map(name => [name, name]))

/** A campaign whose CSV is uploaded, and the two workflows on memory ports. */
async function register(csv: string | Uint8Array, ports: Ports = createMemoryPorts()) {
  const { etag: s3_etag } = await ports.store.put(content.s3_key, csv)
  const { campaign_id } = await ports.campaigns.register('ann', { ...content, s3_etag })
  const input = { campaign_id, revision: 1, s3_key: content.s3_key, s3_etag }
  return {
    ports,
    campaign_id,
    input,
    campaign: async () => ports.campaigns.find(campaign_id),
    runImport: (inject: Parameters<typeof runWorkflow>[1]['inject'] = []) =>
      runWorkflow(importMachine, { tasks: bindAll(() => ports), input, inject, substitutions }),
    runSend: (inject: Parameters<typeof runWorkflow>[1]['inject'] = [], revision = 1) =>
      runWorkflow(sendMachine, {
        tasks: bindAll(() => ports),
        input: { campaign_id, revision, scheduled_at: content.scheduled_at },
        inject,
        substitutions,
      }),
  }
}

/** UTF-8 at its start and its end, and one byte in the middle that no UTF-8 has. */
function mixedEncodings(): Buffer {
  const many = 'yamada@example.jp,山田\n'.repeat(5000)
  return Buffer.concat([Buffer.from(`email,name\n${many}`), Buffer.from([0xff]), Buffer.from(`\n${many}`)])
}

function rows(count: number): string {
  return `email,name\n${Array.from({ length: count }, (_, index) => `user${index}@example.jp,User ${index}\n`).join('')}`
}

describe('import.asl.json', () => {
  it('imports every chunk, books the sending and starts it once', async () => {
    const { ports, campaign, campaign_id, runImport } = await register(rows(12_000))
    const run = await runImport()
    expect(run).toMatchObject({
      status: 'SUCCEEDED',
      output: { total_count: 12_000, duplicate_count: 0, rejected_count: 0 },
    })
    expect(run.path.filter(state => state === 'ImportChunk')).toHaveLength(3)
    expect(await campaign()).toMatchObject({
      status: status.scheduled,
      total_count: 12_000,
      execution_arn: expect.stringMatching(`:execution:send:send-${campaign_id}-1$`),
    })
    expect(ports.started()).toEqual([[`send-${campaign_id}-1`, 'RUNNING']])
  })

  it('keeps a repeated address once, and reports rows without an address by their number', async () => {
    const csv =
      'name,メールアドレス\nA,a@example.jp\nB, A@Example.JP \nC,not an address\n,\nD,\nE,e@example.jp\n'
    const { campaign, runImport } = await register(csv)
    expect((await runImport()).status).toBe('SUCCEEDED')
    expect(await campaign()).toMatchObject({
      total_count: 2,
      duplicate_count: 1,
      rejected_count: 2,
      rejected_rows: [
        { row: 3, reason: 'this is no e-mail address' },
        { row: 5, reason: 'there is no address' },
      ],
    })
  })

  it.each([
    ['an empty file', '', 'EMPTY_FILE'],
    ['a file without a column of addresses', 'id,tel\n1,2\n', 'EMAIL_COLUMN_MISSING'],
    ['two columns of addresses', 'email,メール\na@example.jp,b@example.jp\n', 'EMAIL_COLUMN_TWICE'],
    ["Excel's line of the separator", 'sep=;\nemail;name\na@example.jp;A\n', 'SEPARATOR_LINE'],
    ['a title above the header', '会員一覧\nemail,name\na@example.jp,A\n', 'EMAIL_COLUMN_MISSING'],
    ['a quote that is never closed', 'email\n"a@example.jp\n', 'UNCLOSED_QUOTE'],
    ['a row of too many fields', 'email\na@example.jp\nb@example.jp,x\n', 'COLUMN_COUNT'],
    ['two encodings in one file', mixedEncodings(), 'INVALID_BYTES'],
    [
      'more bad rows than the limit',
      `email\na@example.jp\n${'nobody\n'.repeat(1001)}`,
      'TOO_MANY_REJECTED_ROWS',
    ],
    ['no recipient at all', 'email\n', 'NO_RECIPIENTS'],
  ])('fails the import of %s, says why and leaves no recipient', async (_, csv, code) => {
    const { ports, campaign, runImport } = await register(csv)
    const run = await runImport()
    expect(run).toMatchObject({ status: 'FAILED', error: 'CSVValidationError' })
    expect(run.path.slice(-3)).toEqual(['FailImport', 'DeleteAllRecipients', 'ImportFailed'])
    const failed = await campaign()
    expect(failed).toMatchObject({
      status: status.importFailed,
      failure_reason: { error: 'CSVValidationError' },
    })
    expect(failed?.failure_reason?.code).toBe(code)
    expect(ports.rows()).toEqual([])
    expect(ports.started()).toEqual([])
    expect(parseCause({ Error: run.error ?? '', Cause: run.cause ?? '' }).code).toBe(
      failed?.failure_reason?.code,
    )
  })

  it.each([
    ['会員一覧,\nemail,name\na@example.jp,A\n', 'the first line has "会員一覧", ""; name a column "email"'],
    ['email,mail\na@example.jp,b@example.jp\n', 'two columns hold addresses, "email", "mail"'],
    [
      `email\na@example.jp\n${'nobody\n'.repeat(1001)}`,
      'more than 1000 rows have no usable address; the first is row 2',
    ],
  ])('says what was found and what to do, in the words of staff: %#', async (csv, words) => {
    const { campaign, runImport } = await register(csv)
    await runImport()
    const message = (await campaign())?.failure_reason?.message
    expect(message).toContain(words)
    expect(message).not.toMatch(/chunk|000000/)
  })

  it('reads a single half-width kana in Shift_JIS', async () => {
    const file = Buffer.concat([
      Buffer.from('email,name\na@example.jp,'),
      Buffer.from([0xb1]),
      Buffer.from('\n'),
    ])
    const { ports, runImport } = await register(file)
    expect((await runImport()).status).toBe('SUCCEEDED')
    expect(ports.rows()).toMatchObject([{ email: 'a@example.jp', name: 'ｱ' }])
  })

  it('leaves 取込中 after a failure of the system, for the alarm', async () => {
    const { campaign, runImport } = await register(rows(10))
    const run = await runImport([{ state: 'ImportChunk', error: DatabaseConnectionError }])
    expect(run).toMatchObject({ status: 'FAILED', error: 'DatabaseConnectionError' })
    expect(run.attempts('ImportChunk')).toBe(3)
    expect(run.waitsSeconds('ImportChunk')).toEqual([2, 4])
    expect((await campaign())?.status).toBe(status.importing)
  })

  it('ends quietly when a newer revision has taken over', async () => {
    const { ports, campaign, campaign_id, runImport } = await register(rows(10))
    await ports.campaigns.revise({ campaign_id, revision: 1 }, { ...content, s3_etag: '' }, true)
    const run = await runImport()
    expect(run.status).toBe('SUCCEEDED')
    expect(run.path.slice(-2)).toEqual(['ImportChunk', 'ImportEnded'])
    expect(await campaign()).toMatchObject({ status: status.importing, revision: 2 })
    expect([ports.rows(), ports.started()]).toEqual([[], []])
  })

  it('gives the same result when all of it is done twice', async () => {
    const { ports, campaign, runImport } = await register(rows(6000))
    await runImport()
    const first = await campaign()
    await runImport()
    expect(await campaign()).toEqual(first)
    expect(ports.started()).toHaveLength(1)
  })
})

describe('send.asl.json', () => {
  const csv = 'email\na@example.jp\nb@example.jp\nc@example.jp\nd@example.jp\ne@example.jp\n'

  async function registerImported() {
    const registered = await register(csv)
    await registered.runImport()
    return registered
  }

  it('waits for the time, then sends to everybody once', async () => {
    const { ports, campaign, runSend } = await registerImported()
    const run = await runSend()
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: { sent: 5, bounced: 0, unconfirmed: 0 } })
    expect(ports.mails.map(({ to }) => to)).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map(name => `${name}@example.jp`),
    )
    expect(ports.mails[0]).toMatchObject({
      subject: 'News',
      html: '<p>Hello</p>',
      from: '=?UTF-8?B?44GK5bqX?= <news@example.jp>',
    })
    expect((await campaign())?.status).toBe(status.sent)
  })

  it('fills in what the CSV says of each recipient, and nothing of another', async () => {
    const ports = createMemoryPorts()
    const { campaign_id, runImport, runSend } = await register(
      'email,name,会員番号\na@example.jp,"<b>$& 山田\r\nBcc: x</b>",<1>\nb@example.jp,,{email}\n',
      ports,
    )
    const { s3_etag } = await ports.campaigns.requireCurrent({ campaign_id, revision: 1 })
    const named = {
      subject: '{name}様',
      body_html: '<style>p {color: red}</style><p>{name}, {会員番号}</p>',
      body_text: '{name} {email} {会員番号} {unknown}',
      s3_etag,
    }
    await runImport()
    await ports.campaigns.revise({ campaign_id, revision: 1 }, { ...content, ...named }, false)
    expect(await runSend([], 2)).toMatchObject({ output: { sent: 2 } })
    expect(ports.mails).toMatchObject([
      {
        subject: '<b>$& 山田 Bcc: x</b>様',
        html: '<style>p {color: red}</style><p>&#60;b&#62;$&#38; 山田\r\nBcc: x&#60;/b&#62;, &#60;1&#62;</p>',
        text: '<b>$& 山田\r\nBcc: x</b> a@example.jp <1> {unknown}',
      },
      {
        subject: '様',
        html: '<style>p {color: red}</style><p>, {email}</p>',
        text: ' b@example.jp {email} {unknown}',
      },
    ])
  })

  it('gives everybody a way to unsubscribe, and sends nothing to who did', async () => {
    const { ports, runSend } = await registerImported()
    await ports.suppressions.add([{ address: 'b@example.jp', reason: 'complained', source: '' }])
    expect(await runSend()).toMatchObject({ output: { sent: 4, bounced: 0, unconfirmed: 0 } })
    expect(ports.mails.map(({ to }) => to)).not.toContain('b@example.jp')
    const { headers } = ports.mails[0] ?? {}
    const [, token = ''] =
      /^<https:\/\/example\.jp\/unsubscribe\?token=([\w-]+)>$/.exec(headers?.['List-Unsubscribe'] ?? '') ?? []
    expect(ports.tokens.open(token)).toMatchObject({ address: 'a@example.jp' })
    expect(headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' })
  })

  it('goes on after single addresses bounce', async () => {
    const { ports, runSend } = await registerImported()
    ports.answers.set('b@example.jp', [{ kind: 'bounced', reason: 'on the suppression list' }])
    expect(await runSend()).toMatchObject({ output: { sent: 4, bounced: 1, unconfirmed: 0 } })
  })

  it('waits out throttling without losing or repeating a message', async () => {
    const { ports, runSend } = await registerImported()
    ports.answers.set('c@example.jp', Array(4).fill({ kind: 'refused' }))
    const run = await runSend()
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: { sent: 5, bounced: 0, unconfirmed: 0 } })
    expect(ports.waits.filter(ms => ms > 0)).toEqual([1000, 2000, 4000, 8000])
    expect(new Set(ports.mails.map(({ to }) => to)).size).toBe(5)
  })

  it('stops at once when the sender is refused, keeps everybody pending, and goes on after a PUT', async () => {
    const { ports, campaign, campaign_id, runSend } = await registerImported()
    ports.answers.set('b@example.jp', [{ kind: 'stopped', reason: 'Email address is not verified' }])
    const run = await runSend()
    expect(run).toMatchObject({ status: 'FAILED', error: 'SendRefusedError' })
    const stopped = await campaign()
    expect(stopped).toMatchObject({
      status: status.stopped,
      sent_count: 1,
      bounced_count: 0,
      sending_count: 0,
      unconfirmed_count: 0,
      failure_reason: { error: 'SendRefusedError', message: expect.stringContaining('not verified') },
    })
    const again = { ...content, from_address: 'shop@example.jp', s3_etag: stopped?.s3_etag ?? '' }
    await ports.campaigns.revise({ campaign_id, revision: 1 }, again, false)
    expect(await runSend([], 2)).toMatchObject({ output: { sent: 5, bounced: 0, unconfirmed: 0 } })
    expect(new Set(ports.mails.map(({ to }) => to)).size).toBe(5)
  })

  it('stops when everybody is rejected: that is no matter of addresses', async () => {
    const { ports, campaign, runSend } = await registerImported()
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      ports.answers.set(`${name}@example.jp`, [{ kind: 'bounced', reason: 'invalid content' }])
    }
    expect(await runSend()).toMatchObject({ status: 'FAILED', error: 'SendRefusedError' })
    expect(await campaign()).toMatchObject({ status: status.stopped, bounced_count: 0, sending_count: 0 })
  })

  it('ends a campaign whose only address is rejected', async () => {
    const { ports, campaign, runImport, runSend } = await register('email\na@example.jp\n')
    await runImport()
    ports.answers.set('a@example.jp', [{ kind: 'bounced', reason: 'on the suppression list' }])
    expect(await runSend()).toMatchObject({ status: 'SUCCEEDED', output: { sent: 0, bounced: 1 } })
    expect((await campaign())?.status).toBe(status.sent)
  })

  it('stops when twenty in a row are rejected', async () => {
    const { ports, campaign, runImport, runSend } = await register(rows(100))
    await runImport()
    for (let index = 0; index < 100; index += 1) {
      if (index === 0) continue
      ports.answers.set(`user${index}@example.jp`, [{ kind: 'bounced', reason: 'invalid content' }])
    }
    expect(await runSend()).toMatchObject({ status: 'FAILED', error: 'SendRefusedError' })
    expect(await campaign()).toMatchObject({ sent_count: 1, bounced_count: 0, sending_count: 0 })
  })

  it('goes on through any trouble that passes', async () => {
    const { ports, runSend } = await registerImported()
    const { open } = ports.outbox
    let calls = 0
    ports.outbox.open = send => ({
      ...open(send),
      async claim(...given) {
        calls += 1
        if (calls > 1 && calls < 12) throw Object.assign(new Error('terminating'), { code: '57P01' })
        return open(send).claim(...given)
      },
    })
    expect(await runSend()).toMatchObject({ status: 'SUCCEEDED', output: { sent: 5, unconfirmed: 0 } })
    expect(new Set(ports.mails.map(({ to }) => to)).size).toBe(5)
  })

  /** Sends with a sender that is killed before its nth claim, while there is anybody left. */
  async function sendKilledAt(nth: number) {
    const { ports, campaign, campaign_id } = await registerImported()
    const { open } = ports.outbox
    const dead = Object.assign(new Error('the process exited'), { name: 'Lambda.Unknown' })
    let [claims, calls, isKilled] = [0, 0, false]
    ports.outbox.open = send => ({
      ...open(send),
      async claim(after, limit) {
        claims += 1
        isKilled = claims >= nth && Object.values(ports.outbox.statesOf(send)).includes('pending')
        if (isKilled) throw dead
        return open(send).claim(after, limit)
      },
    })
    const tasks = bindAll(() => ports)
    const dying: BoundTask = {
      ...(tasks['SendBatch'] as BoundTask),
      async run(input, context) {
        claims = 0
        calls += 1
        try {
          return await tasks['SendBatch']?.run(input, context)
        } catch (error) {
          throw isKilled ? dead : error
        }
      },
    }
    const input = { campaign_id, revision: 1, scheduled_at: content.scheduled_at }
    const run = await runWorkflow(sendMachine, {
      tasks: { ...tasks, SendBatch: dying },
      input,
      substitutions,
    })
    return { run, ports, campaign, calls }
  }

  it('goes on after a sender that dies again and again, as long as it gets on', async () => {
    const { run, ports, calls } = await sendKilledAt(2)
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: { sent: 5, unconfirmed: 0 } })
    expect(calls).toBe(5)
    expect(run.path.filter(state => state === 'CheckProgress')).toHaveLength(1)
    expect(new Set(ports.mails.map(({ to }) => to)).size).toBe(5)
  })

  it('gives up on a sender that dies without getting on', async () => {
    const { run, campaign, calls } = await sendKilledAt(1)
    expect(run).toMatchObject({ status: 'FAILED', error: 'Lambda.Unknown' })
    expect(calls).toBe(6)
    expect((await campaign())?.status).toBe(status.sending)
  })

  it('is not done while anyone is pending', async () => {
    const { ports, campaign, runSend } = await registerImported()
    const { open } = ports.outbox
    ports.outbox.open = send => ({ ...open(send), claim: async () => [] })
    expect(await runSend()).toMatchObject({ status: 'FAILED', error: 'PendingRecipientsError' })
    expect((await campaign())?.status).toBe(status.sending)
  })

  it('never sends again what may have been sent', async () => {
    const { ports, runSend } = await registerImported()
    ports.answers.set('c@example.jp', [{ kind: 'unknown' }])
    const run = await runSend()
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: { sent: 4, bounced: 0, unconfirmed: 1 } })
    expect(ports.mails.map(({ to }) => to)).not.toContain('c@example.jp')
  })

  it('ends quietly when the campaign was changed while it waited', async () => {
    const { ports, campaign_id, runSend } = await registerImported()
    const other = { ...content, s3_etag: '', subject: 'Other' }
    await ports.campaigns.revise({ campaign_id, revision: 1 }, other, false)
    expect(await runSend()).toMatchObject({
      status: 'SUCCEEDED',
      path: ['WaitUntilScheduled', 'BeginSending', 'SendEnded'],
    })
    expect(ports.mails).toEqual([])
  })
})

describe('every error that a task declares', () => {
  /** Each run of the matrix begins in a world of its own, made when its first task is called. */
  async function matrixTasks(first: string, make: () => Promise<Ports>): Promise<Record<string, BoundTask>> {
    let world = await make()
    const bound = bindAll(() => world)
    const begin: BoundTask = {
      ...(bound[first] as BoundTask),
      async run(input, context) {
        // `CheckProgress` calls the first function again, with what it has answered before.
        const { progress } = input as { progress?: { settled: number } }
        if (progress === undefined || progress.settled < 0) world = await make()
        return bound[first]?.run(input, context)
      },
    }
    return { ...bound, [first]: begin }
  }
  const csv = 'email\na@example.jp\n'

  it('is retried as its class says, or caught, in the import', async () => {
    const { input, ports: any } = await register(csv)
    const broken = 'id\n1\n'
    const { etag: s3_etag } = await any.store.put('uploads/broken.csv', broken)
    const tasks = await matrixTasks('DeleteExistingRecipients', async () => {
      const { ports } = await register(csv)
      await ports.store.put('uploads/broken.csv', broken)
      return ports
    })
    const matrix = await errorMatrix(importMachine, tasks, {
      inputs: [input, { ...input, s3_key: 'uploads/broken.csv', s3_etag }],
      substitutions,
    })
    expect(matrix.cells).toHaveLength(33)
  })

  it('is retried as its class says, or caught, in the sending', async () => {
    const { campaign_id } = await register(csv)
    const other = { ...content, s3_key: 'uploads/dying.csv', s3_etag: '' }
    const dying = (await createMemoryPorts().campaigns.register('ann', other)).campaign_id
    let deaths = 0
    const tasks = await matrixTasks('BeginSending', async () => {
      const { ports, runImport } = await register(csv)
      await runImport()
      const counts = { total_count: 0, duplicate_count: 0, rejected_count: 0, rejected_rows: [] }
      await ports.campaigns.register('ann', other)
      await ports.campaigns.finishImport({ campaign_id: dying, revision: 1 }, counts, 'arn')
      deaths = 0
      return ports
    })
    /** Dies as often as the state tries again: then the workflow looks whether it gets on. */
    const SendBatch: BoundTask = {
      ...(tasks['SendBatch'] as BoundTask),
      async run(input, context) {
        const isDying = (input as { campaign_id: string }).campaign_id === dying && deaths < 3
        if (!isDying) return tasks['SendBatch']?.run(input, context)
        deaths += 1
        throw Object.assign(new Error('the process exited'), { name: 'Lambda.Unknown' })
      },
    }
    const inputs = [campaign_id, dying].map(id => ({
      campaign_id: id,
      revision: 1,
      scheduled_at: content.scheduled_at,
    }))
    const matrix = await errorMatrix(sendMachine, { ...tasks, SendBatch }, { inputs, substitutions })
    expect(matrix.cells).toHaveLength(14)
  })
})
