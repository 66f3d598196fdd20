import { readFileSync } from 'node:fs'
import type { StateMachine } from '@stepwright/asl'
import { type BoundTask, errorMatrix, runWorkflow } from '@stepwright/asl-engine/testing'
import { DatabaseConnectionError, parseCause } from '@stepwright/errors'
import type { AnyTask } from '@stepwright/task'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { describe, expect, it } from 'vitest'
import { app } from './app.ts'
import { type CampaignContent, status } from './campaign.ts'
import { createMemoryPorts } from './test/memory-ports.ts'

function read(name: string): StateMachine {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
}
const importMachine = read('import.asl.json')
const sendMachine = read('send.asl.json')

const content: CampaignContent = {
  subject: 'News',
  body_html: '<p>Hello</p>',
  body_text: 'Hello',
  from_address: 'news@example.jp',
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
  await ports.store.put(content.s3_key, csv)
  const { campaign_id } = await ports.campaigns.register('ann', content)
  const input = { campaign_id, revision: 1, s3_key: content.s3_key }
  return {
    ports,
    campaign_id,
    input,
    campaign: async () => ports.campaigns.find(campaign_id),
    runImport: (inject: Parameters<typeof runWorkflow>[1]['inject'] = []) =>
      runWorkflow(importMachine, { tasks: bindAll(() => ports), input, inject, substitutions }),
    runSend: (inject: Parameters<typeof runWorkflow>[1]['inject'] = []) =>
      runWorkflow(sendMachine, {
        tasks: bindAll(() => ports),
        input: { campaign_id, revision: 1, scheduled_at: content.scheduled_at },
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
      row_count: 12_000,
      total_count: 12_000,
      execution_arn: `arn:send:${campaign_id}:1`,
    })
    expect(ports.started).toEqual([{ kind: 'send', run: { campaign_id, revision: 1 } }])
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
    ['a quote that is never closed', 'email\n"a@example.jp\n', 'UNCLOSED_QUOTE'],
    ['a row of too many fields', 'email\na@example.jp\nb@example.jp,x\n', 'COLUMN_COUNT'],
    ['two encodings in one file', mixedEncodings(), 'INVALID_BYTES'],
    [
      'more bad rows than the limit',
      `email\na@example.jp\n${'nobody\n'.repeat(4)}`,
      'TOO_MANY_REJECTED_ROWS',
    ],
    ['no recipient at all', 'email\n', 'NO_RECIPIENTS'],
  ])('fails the import of %s, says why and leaves no recipient', async (_, csv, code) => {
    const { ports, campaign, campaign_id, runImport } = await register(csv)
    const run = await runImport()
    expect(run).toMatchObject({ status: 'FAILED', error: 'CSVValidationError' })
    expect(run.path.slice(-2)).toEqual(['FailImport', 'ImportFailed'])
    const failed = await campaign()
    expect(failed).toMatchObject({
      status: status.importFailed,
      failure_reason: { error: 'CSVValidationError' },
    })
    expect(failed?.failure_reason?.code).toBe(code)
    expect((await ports.recipients.summarize({ campaign_id, revision: 1 }, 0)).total).toBe(0)
    expect(ports.started).toEqual([])
    expect(parseCause({ Error: run.error ?? '', Cause: run.cause ?? '' }).code).toBe(
      failed?.failure_reason?.code,
    )
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
    await ports.campaigns.revise({ campaign_id, revision: 1 }, content, true)
    expect(await runImport()).toMatchObject({
      status: 'SUCCEEDED',
      path: ['DeleteExistingRecipients', 'ImportEnded'],
    })
    expect(await campaign()).toMatchObject({ status: status.importing, revision: 2 })
    expect(ports.started).toEqual([])
  })

  it('gives the same result when all of it is done twice', async () => {
    const { ports, campaign, runImport } = await register(rows(6000))
    await runImport()
    const first = await campaign()
    await runImport()
    expect(await campaign()).toEqual(first)
    expect(new Set(ports.started.map(({ run }) => JSON.stringify(run))).size).toBe(1)
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
    expect(ports.mails[0]).toMatchObject({ subject: 'News', html: '<p>Hello</p>', from: 'news@example.jp' })
    expect((await campaign())?.status).toBe(status.sent)
  })

  it('goes on after single addresses bounce', async () => {
    const { ports, runSend } = await registerImported()
    ports.answers.set('b@example.jp', [{ kind: 'bounced', reason: 'on the suppression list' }])
    expect(await runSend()).toMatchObject({ output: { sent: 4, bounced: 1, unconfirmed: 0 } })
  })

  it('waits out throttling without losing or repeating a message', async () => {
    const { ports, runSend } = await registerImported()
    const error = Object.assign(new Error('slow down'), {
      name: 'TooManyRequestsException',
      $fault: 'client',
    })
    ports.answers.set('c@example.jp', Array(9).fill({ kind: 'refused', error }))
    const run = await runSend()
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: { sent: 5, bounced: 0, unconfirmed: 0 } })
    expect(run.attempts('SendBatch')).toBe(2)
    expect(new Set(ports.mails.map(({ to }) => to)).size).toBe(5)
  })

  it('never sends again what may have been sent', async () => {
    const { ports, runSend } = await registerImported()
    ports.answers.set('c@example.jp', [{ kind: 'unknown', error: new Error('socket hang up') }])
    const run = await runSend()
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: { sent: 4, bounced: 0, unconfirmed: 1 } })
    expect(ports.mails.map(({ to }) => to)).not.toContain('c@example.jp')
  })

  it('ends quietly when the campaign was changed while it waited', async () => {
    const { ports, campaign_id, runSend } = await registerImported()
    await ports.campaigns.revise({ campaign_id, revision: 1 }, { ...content, subject: 'Other' }, false)
    expect(await runSend()).toMatchObject({
      status: 'SUCCEEDED',
      path: ['WaitUntilScheduled', 'BeginSending', 'SendEnded'],
    })
    expect(ports.mails).toEqual([])
  })
})

describe('every error that a task declares', () => {
  /** Each run of the matrix begins in a world of its own, made when its first task is called. */
  async function matrixTasks(first: keyof typeof app.functions, make: () => Promise<Ports>) {
    let world = await make()
    const bound = bindAll(() => world)
    const begin: BoundTask = {
      ...(bound[first] as BoundTask),
      async run(input, context) {
        world = await make()
        return bound[first]?.run(input, context)
      },
    }
    return { ...bound, [first]: begin }
  }
  const csv = 'email\na@example.jp\n'

  it('is retried as its class says, or caught, in the import', async () => {
    const { input } = await register(csv)
    const tasks = await matrixTasks('DeleteExistingRecipients', async () => {
      const { ports } = await register(csv)
      await ports.store.put('uploads/broken.csv', 'id\n1\n')
      return ports
    })
    const matrix = await errorMatrix(importMachine, tasks, {
      inputs: [input, { ...input, s3_key: 'uploads/broken.csv' }],
      substitutions,
    })
    expect(matrix.cells).toHaveLength(26)
  })

  it('is retried as its class says, or caught, in the sending', async () => {
    const { campaign_id } = await register(csv)
    const tasks = await matrixTasks('BeginSending', async () => {
      const { ports, runImport } = await register(csv)
      await runImport()
      return ports
    })
    const input = { campaign_id, revision: 1, scheduled_at: content.scheduled_at }
    const matrix = await errorMatrix(sendMachine, tasks, { inputs: [input], substitutions })
    expect(matrix.cells).toHaveLength(12)
  })
})
