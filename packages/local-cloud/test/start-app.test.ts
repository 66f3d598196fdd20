import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn'
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { App } from '@stepwright/app'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FunctionCall, type RunningApp, startApp } from '../src/index.ts'
import { app } from './app/app.ts'
import { anyTask } from './app/tasks.ts'
import { statusOf } from './doors.ts'

let running: RunningApp
let s3: S3Client
const before = { ...process.env }
const calls: FunctionCall[] = []
beforeAll(async () => {
  running = await startApp(app, { onCall: call => calls.push(call) })
  s3 = clientOf(running)
}, 60_000)
afterAll(async () => {
  s3.destroy()
  await running.stop()
}, 60_000)

function clientOf({ services: { s3: service } }: Pick<RunningApp, 'services'>): S3Client {
  const { endpoint, region, credentials } = service
  return new S3Client({ endpoint, region, credentials })
}

function tablesOf({ services: { dynamoDb } }: Pick<RunningApp, 'services'>): DynamoDBClient {
  const { endpoint, region, credentials } = dynamoDb
  return new DynamoDBClient({ endpoint, region, credentials })
}

function put(client: S3Client, key: string, body: string): Promise<unknown> {
  return client.send(new PutObjectCommand({ Bucket: 'records-uploads', Key: key, Body: body }))
}

async function exists(key: string): Promise<boolean> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: 'results' }))
  return Contents.some(({ Key }) => Key === key)
}

describe('startApp', { timeout: 60_000 }, () => {
  it('calls the deployed function for an object, which starts a workflow, which writes to the database', async () => {
    const ended = running.ended('record')
    for (const [key, body] of [
      ['data/a.csv', 'a'],
      ['data/again.csv', 'a'], // the same name of an execution, so it starts nothing
      ['data/readme.txt', 'x'],
      ['other/b.csv', 'y'],
    ] as const) {
      await put(s3, key, body)
    }
    const { status, output, name } = await ended
    expect([status, JSON.parse(output ?? '')]).toEqual(['SUCCEEDED', { seen: ['data/a.csv'], to: 'results' }])
    expect(await running.ended('record', name)).toMatchObject({ status: 'SUCCEEDED' })
    expect(calls.find(({ functionName }) => functionName === 'Record')).toMatchObject({
      state: { executionArn: expect.stringContaining(String(name)), stateName: 'Record', retryCount: 0 },
    })
    expect(calls.find(({ functionName }) => functionName === 'Start')?.state).toBeUndefined()
  })

  it('answers over HTTP, with tables, secrets and a deadline in place, and nothing of the developer’s', async () => {
    const headers = { authorization: `Bearer ${running.gateway?.issueToken({ sub: 'ann' })}` }
    const answer = await fetch(`${running.gateway?.endpoint}/look`, { headers })
    expect(await answer.json()).toEqual({
      tables: ['locks'],
      secret: 'only here',
      profile: null,
      hasTime: true,
    })
    expect(process.env).toEqual(before)
  })

  it('goes on with functions in a new process after a reload, and with what runs meanwhile', async () => {
    const answered = running.invoke('TestPass', {})
    await running.reload()
    expect(await answered).toBe('"passed"')
    expect(await running.invoke('TestPass', {})).toBe('"passed"')
  })

  it('lets a function’s own client call what the SDK sends to a host of another name', async () => {
    expect(await running.invoke('TestPass', {})).toBe('"passed"')
  })

  it('streams what a function writes while it writes it, and tells it when its reader leaves', async () => {
    const headers = { authorization: `Bearer ${running.gateway?.issueToken({ sub: 'ann' })}` }
    const count = (to: string, signal?: AbortSignal) =>
      fetch(`${running.gateway?.endpoint}/count/${to}`, { headers, ...(signal && { signal }) })
    const many = await count('300')
    expect([many.status, many.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const text = await many.text()
    expect(text).toMatch(/^retry: 1000\n\nevent: lefts\ndata: 0\n\nid: 1\ndata: \{/)
    expect(text.match(/^id: \d+$/gm)).toHaveLength(300)
    expect((await count('three')).status).toBe(400)

    const leaving = new AbortController()
    const open = (await count('0', leaving.signal)).body?.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    while (!seen.includes('lefts')) seen += (await open?.read())?.value
    leaving.abort()
    await expect.poll(async () => (await count('1')).text()).toContain('event: lefts\ndata: 1\n')
  })

  it('serves the site beside the routes, bundled, with a policy that lets nothing else in', async () => {
    const get = (path: string) => fetch(`${running.gateway?.endpoint}${path}`)
    const page = await get('/')
    expect([page.headers.get('content-type'), await page.text()]).toEqual([
      'text/html; charset=utf-8',
      expect.stringContaining('src="main.js"'),
    ])
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; .*connect-src 'self' http:\/\/127/,
    )
    const script = await get('/main.js')
    expect([script.headers.get('content-type'), await script.text()]).toEqual([
      'text/javascript; charset=utf-8',
      expect.stringContaining('Hello'),
    ])
    expect(await (await get('/main.css')).text()).toContain('h1{')
    expect([(await get('/main.tsx')).status, (await get('/look')).status]).toEqual([404, 401])
  })

  it('opens no door to pages, whatever host name points here', async () => {
    const endpoints = Object.entries(running.environment).filter(([name]) =>
      name.startsWith('AWS_ENDPOINT_URL_'),
    )
    expect(endpoints.length).toBeGreaterThan(7)
    for (const [name, endpoint] of endpoints) {
      const { host } = new URL(endpoint)
      const statuses = [
        await statusOf(endpoint, { Host: host.replace('127.0.0.1', 'evil.example') }),
        await statusOf(endpoint, { Host: host.replace('127.0.0.1', 'sync-127.0.0.1.evil.example') }),
        await statusOf(endpoint, { Host: host, Origin: 'https://evil.example' }),
      ]
      // S3 decides about origins itself, by its rules for CORS, and knows nobody without a signature.
      expect([name, ...statuses]).toEqual([name, 403, 403, 403])
    }
    const gateway = running.gateway?.endpoint ?? ''
    expect(await statusOf(gateway, { Host: 'evil.example' })).toBe(403)
  })

  it('refuses calls to a service that does not run here', async () => {
    await expect(running.invoke('CallElsewhere', {})).rejects.toMatchObject({
      name: 'ServiceNotOnThisMachine',
      message: 'dynamodb does not run on this machine, and AWS was not called.',
    })
    const form = await fetch(String(running.environment['AWS_ENDPOINT_URL']), {
      method: 'POST',
      body: new URLSearchParams({ Action: 'DescribeInstances' }),
    })
    expect([form.status, await form.text()]).toEqual([
      501,
      expect.stringContaining('<Code>ServiceNotOnThisMachine</Code>'),
    ])
  })

  it.each([
    ['Misbehave', { how: 'throw' }, 'OutOfStock', 'no stock left'],
    ['Misbehave', { how: 'text' }, 'string', 'just a text'],
    ['Misbehave', { how: 'bigint' }, 'Runtime.JSONStringifyError', 'BigInt'],
    ['Misbehave', { how: 'exit' }, 'Runtime.ExitError', 'exit status 3'],
    ['Misbehave', { how: 'hang' }, 'Sandbox.Timedout', 'timed out after 1.00 seconds'],
    ['Missing', {}, 'Runtime.HandlerNotFound', 'nothing'],
    ['Broken', {}, 'Runtime.ImportModuleError', 'no-such-file'],
  ] as const)('reports %s %j as Lambda does', async (name, event, errorType, message) => {
    const error = await running.invoke(name, event).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ name: errorType, message: expect.stringContaining(message) })
  })

  it('starts a new process after one was killed', async () => {
    const first = await running.invoke('Misbehave', { how: 'pid' })
    const hanging = running.invoke('Misbehave', { how: 'hang' })
    while (!running.kill('Misbehave')) await new Promise(setImmediate)
    await expect(hanging).rejects.toMatchObject({ name: 'Runtime.ExitError' })
    expect(await running.invoke('Misbehave', { how: 'pid' })).not.toBe(first)
    expect(running.kill('Misbehave')).toBe(false)
  })

  it('lets a test stand between callers and a function', async () => {
    running.intercept('Look', async (call, event) => ({ event, answer: await call() }))
    expect(await running.invoke('Look', { a: 1 })).toMatchObject({
      event: { a: 1 },
      answer: { statusCode: 200 },
    })
    running.intercept('Look')
    expect(await running.invoke('Look', {})).toMatchObject({ statusCode: 200 })
  })

  it('runs functions for callers of Lambda’s API, and shows them what the call printed', async () => {
    const { endpoint } = running.services.lambda
    const client = new LambdaClient({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    })
    const invoke = (how: string) =>
      client.send(
        new InvokeCommand({
          FunctionName: running.names.functions['Misbehave'],
          Payload: JSON.stringify({ how }),
          LogType: 'Tail',
        }),
      )
    const { LogResult = '' } = await invoke('print')
    expect(Buffer.from(LogResult, 'base64').toString()).toContain('\nprinted by this call\nEND')
    expect(await invoke('throw')).toMatchObject({ FunctionError: 'Unhandled' })
    client.destroy()
  })

  it('fires a trigger by hand, and says which there are', async () => {
    const ended = running.ended('record', 'object-by-hand')
    await running.fire('Uploaded', { detail: { object: { key: 'k', etag: 'by-hand' } } })
    expect(await ended).toMatchObject({ status: 'SUCCEEDED' })
    await expect(running.fire('Upload', {})).rejects.toThrow('there is no trigger Upload; there are Uploaded')
  })

  it('runs a stand-in as the job of a .sync integration, in the environment of the app', async () => {
    await running.start('job', { how: 'well' }, 'well')
    const { status, output } = await running.ended('job', 'well')
    expect([status, JSON.parse(output ?? '')]).toMatchObject([
      'SUCCEEDED',
      { JobName: 'etl', JobRunState: 'SUCCEEDED', ExecutionTime: 3 },
    ])
    expect(await exists('etl')).toBe(true)
    await running.start('job', { how: 'fail' }, 'fail')
    const failed = await running.ended('job', 'fail')
    expect(JSON.parse(failed.output ?? '')).toMatchObject({
      run: { JobRunState: 'FAILED', ErrorMessage: 'etl found no rows' },
    })
  })

  it('kills a stand-in, and beside it no function', async () => {
    const pid = await running.invoke('Misbehave', { how: 'pid' })
    await running.start('job', { how: 'hang' }, 'killed')
    await expect.poll(() => exists('hanging')).toBe(true)
    expect(running.kill('glue:startJobRun')).toBe(true)
    const { output } = await running.ended('job', 'killed')
    expect(JSON.parse(output ?? '')).toMatchObject({
      run: { JobRunState: 'FAILED', ErrorMessage: 'Runtime exited with error: signal: SIGKILL' },
    })
    expect(await running.invoke('Misbehave', { how: 'pid' })).toBe(pid)
  })

  it('tells a stand-in that its execution was stopped', async () => {
    const called = Promise.withResolvers<void>()
    running.intercept('glue:startJobRun', call => {
      called.resolve()
      return call()
    })
    const executionArn = await running.start('job', { how: 'hang' })
    await called.promise
    running.intercept('glue:startJobRun')
    const client = new SFNClient(running.services.stepFunctions.clientConfig)
    await client.send(new StopExecutionCommand({ executionArn }))
    client.destroy()
    await expect.poll(() => exists('stopped')).toBe(true)
  })

  it('says which workflows there are', () => {
    expect(() => running.stateMachineArn('recrod' as 'record')).toThrow(
      'there is no recrod among the workflows: record, job',
    )
  })
})

describe('startApp with a data directory', { timeout: 60_000 }, () => {
  it('goes on with an execution that was interrupted, when its functions can run', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'stepwright-app-'))
    await chmod(directory, 0o755) // as root, PostgreSQL runs as another user
    const dataDirectory = join(directory, 'new', 'data') // startApp creates it, open to that user
    try {
      const first = await startApp(app, { dataDirectory })
      const client = clientOf(first)
      await put(client, 'kept.txt', 'still here')
      client.destroy()
      const locks = tablesOf(first)
      await locks.send(new PutItemCommand({ TableName: 'locks', Item: { id: { S: 'held' } } }))
      locks.destroy()
      const queues = new SQSClient(first.services.sqs.clientConfig)
      const { QueueUrl } = await queues.send(new CreateQueueCommand({ QueueName: 'kept' }))
      await queues.send(new SendMessageCommand({ QueueUrl, MessageBody: 'still to do' }))
      queues.destroy()
      const called = Promise.withResolvers<void>()
      first.intercept('Record', () => {
        called.resolve()
        return new Promise(() => {})
      })
      await first.start('record', { detail: { object: { key: 'late' } } }, 'interrupted')
      await called.promise
      await first.stop()

      await using second = await startApp(app, { dataDirectory })
      const ended = await second.ended('record', 'interrupted')
      expect(ended).toMatchObject({
        status: 'SUCCEEDED',
        output: JSON.stringify({ seen: ['late'], to: 'results' }),
      })
      const again = clientOf(second)
      const { Body } = await again.send(new GetObjectCommand({ Bucket: 'records-uploads', Key: 'kept.txt' }))
      expect(await Body?.transformToString()).toBe('still here')
      again.destroy()
      const kept = tablesOf(second)
      expect((await kept.send(new ScanCommand({ TableName: 'locks' }))).Items).toEqual([
        { id: { S: 'held' } },
      ])
      kept.destroy()
      const left = new SQSClient(second.services.sqs.clientConfig)
      const { Messages } = await left.send(
        new ReceiveMessageCommand({ QueueUrl: second.services.sqs.queueUrl('kept') }),
      )
      expect(Messages).toMatchObject([{ Body: 'still to do' }])
      left.destroy()
      for (const name of await readdir(dataDirectory)) {
        expect([name, (await stat(join(dataDirectory, name))).mode & 0o077]).toEqual([name, 0])
      }
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})

describe('startApp without a database', { timeout: 60_000 }, () => {
  it('starts none, and says so to whoever asks for it', async () => {
    const bare: App = {
      name: 'bare',
      root: app.root,
      functions: { Look: { module: 'handlers.ts', kind: 'call', export: 'look', task: anyTask } },
    }
    await using running = await startApp(bare)
    expect(() => running.services.postgres.url).toThrow('the app declares no database')
    expect(running.environment).not.toHaveProperty('DATABASE_URL')
    expect(await running.invoke('Look', {})).toMatchObject({ statusCode: 200 })
  })
})

describe('startApp with what cannot run', { timeout: 60_000 }, () => {
  it('leaves nothing running when a definition is refused', async () => {
    const definitions = { record: { StartAt: 'Nowhere', States: {} } }
    await expect(startApp(app, { definitions })).rejects.toMatchObject({ name: 'InvalidDefinition' })
  })

  it('leaves nothing running when its site cannot be bundled', async () => {
    const look = { module: 'handlers.ts', kind: 'call', export: 'look', task: anyTask } as const
    const bare: App = { name: 'bare', root: app.root, functions: { Look: look } }
    const listening = () => process.getActiveResourcesInfo().filter(name => name === 'TCPServerWrap').length
    const before = listening()
    await expect(startApp({ ...bare, site: { directory: 'nowhere' } } satisfies App)).rejects.toThrow(
      'a site must have',
    )
    await (await startApp(bare)).stop() // as long as services take that nobody waits for
    expect(listening()).toBe(before)
  })

  it('does not wait for those who wait for the gateway', { timeout: 20_000 }, async () => {
    const knocking: App = {
      name: 'knocking',
      root: app.root,
      database: { migratedBy: 'Knock' },
      functions: {
        Knock: {
          module: 'handlers.ts',
          kind: 'call',
          export: 'knock',
          task: anyTask,
          environment: { API: { api: 'url' } },
        },
        Look: { module: 'handlers.ts', kind: 'call', export: 'look', task: anyTask },
      },
      routes: { 'GET /look': { function: 'Look', authorized: false } },
    }
    await expect(startApp(knocking)).rejects.toThrow('nobody is there')
  })
})
