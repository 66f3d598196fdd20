import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { DescribeExecutionCommand, paginateListExecutions, SFNClient } from '@aws-sdk/client-sfn'
import { chaosRounds } from '@stepwright/bench/chaos'
import { exitOf } from '@stepwright/local-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startApp } from '../src/index.ts'
import { delivered } from './app/delivered.ts'

let dataDirectory = ''
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'stepwright-delivery-'))
})
afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

async function serve(
  ...how: string[]
): Promise<{ child: ChildProcess; environment: Record<string, string> }> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'fixtures/serve-delivered.ts'), dataDirectory, ...how],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env['PATH'] } },
  )
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  return { child, environment: JSON.parse(String((await lines.next()).value)) }
}

function configOf(environment: Record<string, string>, service: string) {
  return {
    endpoint: environment[`AWS_ENDPOINT_URL_${service}`] ?? '',
    region: environment['AWS_REGION'] ?? '',
    credentials: {
      accessKeyId: environment['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
  }
}

async function upload(environment: Record<string, string>, Key: string): Promise<void> {
  const client = new S3Client(configOf(environment, 'S3'))
  await client.send(new PutObjectCommand({ Bucket: 'delivered-uploads', Key, Body: 'x' }))
  client.destroy()
}

/** The events that executions were started with. */
async function startedWith(): Promise<{ source: string; detail: { object?: { key: string } } }[]> {
  await using running = await startApp(delivered, { dataDirectory })
  const client = new SFNClient(running.services.stepFunctions.clientConfig)
  const stateMachineArn = running.stateMachineArn('noted')
  const inputs: string[] = []
  // What is delivered after the start is delivered when it has paused.
  await running.services.eventBridge.pause()
  for await (const { executions = [] } of paginateListExecutions({ client }, { stateMachineArn })) {
    for (const { executionArn } of executions) {
      const { input = '' } = await client.send(new DescribeExecutionCommand({ executionArn }))
      inputs.push(input)
    }
  }
  client.destroy()
  return inputs.map(input => JSON.parse(input))
}

describe('a change of a table that was stored before a kill', () => {
  it('reaches its function, in order, whenever the kill comes', { timeout: 0 }, async () => {
    const file = join(dataDirectory, 'notes')
    const stored: string[] = []
    const noted = async () => {
      const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1)
      // Again is allowed, and out of order is not: the first time of each counts.
      return [...new Set(lines)]
    }
    for (let round = 0; round < chaosRounds(2); round += 1) {
      const { child, environment } = await serve()
      const client = new DynamoDBClient(configOf(environment, 'DYNAMODB'))
      for (let index = 0; index < 20; index += 1) {
        const sku = `${round}-${index}`
        await client.send(new PutItemCommand({ TableName: 'delivered-stock', Item: { sku: { S: sku } } }))
        stored.push(sku)
      }
      client.destroy()
      // Before any of them, or in the midst of them.
      if (round % 2 === 1)
        await expect.poll(async () => (await noted()).length).toBeGreaterThan(stored.length - 20)
      child.kill('SIGKILL')
      await exitOf(child)
    }
    await using _ = await startApp(delivered, { dataDirectory, environment: { NOTES_FILE: file } })
    await expect.poll(noted, { timeout: 20_000 }).toEqual(stored)
  })
})

describe('an event that was accepted before a kill', () => {
  it('starts its execution after the restart, and no second one at the restart after that', async () => {
    const { child, environment } = await serve('paused')
    await upload(environment, 'a.csv')
    const events = new EventBridgeClient(configOf(environment, 'EVENTBRIDGE'))
    await events.send(
      new PutEventsCommand({ Entries: [{ Source: 'shop', DetailType: 'Order', Detail: '{"id":1}' }] }),
    )
    events.destroy()
    const mail = new SESv2Client(configOf(environment, 'SESV2'))
    await mail.send(
      new SendEmailCommand({
        FromEmailAddress: 'shop@example.com',
        Destination: { ToAddresses: ['ann@example.com'] },
        ConfigurationSetName: 'tracked',
        Content: { Simple: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'there' } } } },
      }),
    )
    mail.destroy()
    child.kill('SIGKILL')
    await exitOf(child)
    const sources = async () => (await startedWith()).map(({ source }) => source).toSorted()
    expect(await sources()).toEqual(['aws.s3', 'aws.ses', 'shop'])
    expect(await sources()).toEqual(['aws.s3', 'aws.ses', 'shop'])
  })

  it('calls its function after the restart', async () => {
    const { child, environment } = await serve('paused')
    const lambda = new LambdaClient(configOf(environment, 'LAMBDA'))
    const FunctionName = 'delivered-Collect'
    await lambda.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload: '{}' }))
    lambda.destroy()
    child.kill('SIGKILL')
    await exitOf(child)
    const called = Promise.withResolvers<string>()
    const onCall = ({ functionName }: { functionName: string }) => called.resolve(functionName)
    await using running = await startApp(delivered, { dataDirectory, onCall })
    expect(await called.promise).toBe('Collect')
    await running.stop()
  })

  it('starts its execution whenever the kill comes', { timeout: 0 }, async () => {
    const rounds = chaosRounds(2)
    const keys: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      const { child, environment } = await serve()
      const together = Array.from({ length: (round % 4) + 1 }, (_, index) => `${round}-${index}.csv`)
      await Promise.all(together.map(key => upload(environment, key)))
      child.kill('SIGKILL')
      await exitOf(child)
      keys.push(...together)
    }
    const seen = new Set((await startedWith()).map(({ detail }) => detail.object?.key))
    expect(keys.filter(key => !seen.has(key))).toEqual([])
  })
})
