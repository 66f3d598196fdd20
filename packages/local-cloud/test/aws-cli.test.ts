import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '@stepwright/app'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isolatingVariables, machineVariables } from '../src/functions/sdk-variables.ts'
import { type RunningApp, startApp } from '../src/index.ts'
import { anyTask as task } from './app/tasks.ts'
import { type AwsCli, startAwsCli, whyNoAwsCli } from './aws-cli.ts'

const app: App = {
  name: 'session',
  root: new URL('./app/', import.meta.url),
  functions: { Misbehave: { module: 'handlers.ts', kind: 'call', export: 'misbehave', task } },
  resources: {
    buckets: { files: {} },
    queues: { mail: {} },
    tables: {
      locks: {
        TableName: 'locks',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      },
    },
  },
}
const reason = whyNoAwsCli()
// Below those that servers of other tests get, and another for each process.
const firstPort = 20_000 + (process.pid % 1000) * 10
const role = ['--role-arn', 'arn:aws:iam::000000000000:role/r']

let directory: string
let running: RunningApp
let aws: AwsCli
beforeAll(async () => {
  if (reason !== undefined) return
  directory = await mkdtemp(join(tmpdir(), 'stepwright aws '))
  running = await startApp(app, { firstPort })
  // What `stepwright dev` prints, in a shell without anything else of the developer's.
  aws = startAwsCli({ ...machineVariables(process.env), ...isolatingVariables, ...running.environment })
}, 60_000)
afterAll(async () => {
  await aws?.end()
  await running?.stop()
  if (directory !== undefined) await rm(directory, { recursive: true })
}, 60_000)

function sfn(operation: string, ...args: readonly string[]): Promise<never> {
  return aws.run('stepfunctions', operation, ...args) as Promise<never>
}
function passes(output: string): string {
  return JSON.stringify({ StartAt: 'P', States: { P: { Type: 'Pass', Result: output, End: true } } })
}
async function create(name: string, definition: string, ...more: readonly string[]) {
  const made = sfn('create-state-machine', '--name', name, '--definition', definition, ...role, ...more)
  return (await made) as { stateMachineArn: string; stateMachineVersionArn: string }
}
async function startAndEnd(stateMachineArn: string): Promise<string> {
  const { executionArn } = (await sfn('start-execution', '--state-machine-arn', stateMachineArn)) as {
    executionArn: string
  }
  await expect
    .poll(() => sfn('describe-execution', '--execution-arn', executionArn), { timeout: 20_000 })
    .toMatchObject({ status: expect.stringMatching('SUCCEEDED|FAILED') })
  return executionArn
}

describe.skipIf(reason !== undefined)(
  `the AWS CLI${reason ? ` (${reason})` : ''}`,
  { timeout: 60_000 },
  () => {
    it('creates state machines, versions and aliases, and runs them', async () => {
      const { stateMachineArn, stateMachineVersionArn } = await create('routed', passes('one'), '--publish')
      expect(stateMachineVersionArn).toBe(`${stateMachineArn}:1`)
      await sfn('update-state-machine', '--state-machine-arn', stateMachineArn, '--definition', passes('two'))
      const routing = [
        '--routing-configuration',
        `stateMachineVersionArn=${stateMachineVersionArn},weight=100`,
      ]
      await sfn('create-state-machine-alias', '--name', 'live', ...routing)
      const executionArn = await startAndEnd(`${stateMachineArn}:live`)
      expect(await sfn('describe-execution', '--execution-arn', executionArn)).toMatchObject({
        output: '"one"',
        stateMachineVersionArn,
        stateMachineAliasArn: `${stateMachineArn}:live`,
      })
      const history = ['--execution-arn', executionArn, '--query', 'events[].type']
      expect(await sfn('get-execution-history', ...history)).toEqual([
        'ExecutionStarted',
        'PassStateEntered',
        'PassStateExited',
        'ExecutionSucceeded',
      ])
      await startAndEnd(stateMachineArn)
      const listed = [
        '--state-machine-arn',
        stateMachineArn,
        '--page-size',
        '1',
        '--query',
        'executions[].status',
      ]
      expect(await sfn('list-executions', ...listed)).toEqual(['SUCCEEDED', 'SUCCEEDED'])
      const tagged = ['--resource-arn', stateMachineArn]
      await sfn('tag-resource', ...tagged, '--tags', 'key=team,value=a')
      expect(await sfn('list-tags-for-resource', ...tagged)).toEqual({ tags: [{ key: 'team', value: 'a' }] })
      await sfn('delete-state-machine', '--state-machine-arn', stateMachineArn)
      await expect(sfn('describe-state-machine', '--state-machine-arn', stateMachineArn)).rejects.toThrow(
        `An error occurred (StateMachineDoesNotExist) when calling the DescribeStateMachine operation: State Machine Does Not Exist: '${stateMachineArn}'`,
      )
    })

    it('waits for Express executions and tests states, which clients send to another host', async () => {
      const { stateMachineArn } = await create('express', passes('at once'), '--type', 'EXPRESS')
      expect(await sfn('start-sync-execution', '--state-machine-arn', stateMachineArn)).toMatchObject({
        status: 'SUCCEEDED',
        output: '"at once"',
      })
      const state = JSON.stringify({ Type: 'Pass', Result: 1, End: true })
      expect(await sfn('test-state', '--definition', state)).toEqual({ output: '1', status: 'SUCCEEDED' })
    })

    it('finds services where it found them before', () => {
      expect(running.environment).toMatchObject({
        AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${firstPort + 1}`,
        AWS_ENDPOINT_URL_SFN: `http://127.0.0.1:${firstPort + 3}`,
        AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${firstPort + 4}`,
      })
    })

    it('validates definitions, with AWS’s codes', async () => {
      const definition = passes('x').replace('"End":true', '"Next":"Q"')
      expect(await sfn('validate-state-machine-definition', '--definition', definition)).toMatchObject({
        result: 'FAIL',
        diagnostics: [{ code: 'MISSING_TRANSITION_TARGET', location: '/States/P/Next' }, {}],
      })
    })

    it('looks into Map runs', async () => {
      const processor = JSON.parse(passes('child'))
      const ItemProcessor = {
        ...processor,
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      }
      const each = { Type: 'Map', Items: [1, 2], QueryLanguage: 'JSONata', ItemProcessor, End: true }
      const { stateMachineArn } = await create(
        'mapped',
        JSON.stringify({ StartAt: 'M', States: { M: each } }),
      )
      const executionArn = await startAndEnd(stateMachineArn)
      const runs = ['--execution-arn', executionArn, '--query', 'mapRuns[].mapRunArn']
      const [mapRunArn = ''] = (await sfn('list-map-runs', ...runs)) as readonly string[]
      expect(await sfn('describe-map-run', '--map-run-arn', mapRunArn)).toMatchObject({
        status: 'SUCCEEDED',
        itemCounts: { succeeded: 2 },
      })
      const children = ['--map-run-arn', mapRunArn, '--status-filter', 'SUCCEEDED']
      const { executions } = (await sfn('list-executions', ...children)) as { executions: unknown[] }
      expect(executions).toHaveLength(2)
    })

    it('works for activities', async () => {
      const { activityArn } = (await sfn('create-activity', '--name', 'manual')) as { activityArn: string }
      const waits = { Type: 'Task', Resource: activityArn, End: true }
      const { stateMachineArn } = await create(
        'manual',
        JSON.stringify({ StartAt: 'A', States: { A: waits } }),
      )
      const started = await sfn(
        'start-execution',
        '--state-machine-arn',
        stateMachineArn,
        '--input',
        '"todo"',
      )
      const { executionArn } = started as { executionArn: string }
      const worker = ['--activity-arn', activityArn, '--worker-name', 'me']
      const { taskToken, input } = (await sfn('get-activity-task', ...worker)) as Record<string, string>
      expect(input).toBe('"todo"')
      await sfn('send-task-success', '--task-token', taskToken ?? '', '--task-output', '"done"')
      expect(await sfn('describe-execution', '--execution-arn', executionArn)).toMatchObject({
        status: 'SUCCEEDED',
        output: '"done"',
      })
    })

    it('invokes functions', async () => {
      const file = join(directory, 'answer.json')
      const name = ['--function-name', running.names.functions['Misbehave'] ?? '']
      const event = join(directory, 'event.json')
      await writeFile(event, '{"how":"print"}')
      const args = [
        ...name,
        '--payload',
        `fileb://${event}`,
        '--log-type',
        'Tail',
        '--query',
        'LogResult',
        file,
      ]
      const log = (await aws.run('lambda', 'invoke', ...args)) as string
      expect(Buffer.from(log, 'base64').toString()).toContain('printed by this call')
      expect(await readFile(file, 'utf8')).toBe('true')
      expect(await aws.run('lambda', 'invoke', ...name, file)).toMatchObject({
        FunctionError: 'Unhandled',
      })
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ errorType: 'OutOfStock' })
    })

    it('copies files, sends messages and events, and keeps items', async () => {
      const file = join(directory, 'file.txt')
      await writeFile(file, 'by the CLI')
      const place = `s3://${running.names.buckets['files']}/a/file.txt`
      await aws.run('s3', 'cp', '--quiet', file, place)
      await aws.run('s3', 'cp', '--quiet', place, `${file}.back`)
      expect(await readFile(`${file}.back`, 'utf8')).toBe('by the CLI')

      // Version 1 of the CLI has an address of its own for SQS, whatever the environment says.
      const sqs = (operation: string, ...args: readonly string[]) =>
        aws.run('sqs', operation, '--endpoint-url', running.services.sqs.endpoint, ...args)
      const queue = ['--queue-name', running.names.queues['mail'] ?? '']
      const { QueueUrl } = (await sqs('get-queue-url', ...queue)) as { QueueUrl: string }
      await sqs('send-message', '--queue-url', QueueUrl, '--message-body', 'hello')
      expect(await sqs('receive-message', '--queue-url', QueueUrl)).toMatchObject({
        Messages: [{ Body: 'hello' }],
      })

      const { TopicArn } = (await aws.run('sns', 'create-topic', '--name', 'news')) as { TopicArn: string }
      const news = ['--topic-arn', TopicArn, '--message', 'hello']
      expect(await aws.run('sns', 'publish', ...news)).toHaveProperty('MessageId')

      const entry = JSON.stringify([{ Source: 'shop', DetailType: 'sold', Detail: '{}' }])
      expect(await aws.run('events', 'put-events', '--entries', entry)).toMatchObject({ FailedEntryCount: 0 })

      const table = ['--table-name', 'locks']
      await aws.run('dynamodb', 'put-item', ...table, '--item', '{"id":{"S":"held"}}')
      expect(await aws.run('dynamodb', 'scan', ...table, '--query', 'Items')).toEqual([{ id: { S: 'held' } }])
    })
  },
)
