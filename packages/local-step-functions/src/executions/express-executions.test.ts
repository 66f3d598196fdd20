import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sfn from '@aws-sdk/client-sfn'
import { describe, expect, it } from 'vitest'
import { type ExecutionLogEntry, startStepFunctions } from '../index.ts'
import { createApiClient, machine, pass, waits } from '../test/api-client.ts'

const fails = machine({ P: { Type: 'Pass', Next: 'F' }, F: { Type: 'Fail', Error: 'No' } })
const type = 'EXPRESS'
const destinations = [
  { cloudWatchLogsLogGroup: { logGroupArn: 'arn:aws:logs:us-east-1:000000000000:log-group:l:*' } },
]

describe('Express executions', () => {
  it('are logged in CloudWatch’s shape', async () => {
    const entries: ExecutionLogEntry[] = []
    await using server = await startStepFunctions({
      executionLog: { destination: entry => entries.push(entry) },
    })
    const { client, create } = createApiClient(server)
    const stateMachineArn = await create('logged', pass, { type })
    const { executionArn } = await client.send(
      new sfn.StartSyncExecutionCommand({ stateMachineArn, input: '{"a":1}' }),
    )
    expect(entries.map(entry => entry.type)).toEqual([
      'ExecutionStarted',
      'PassStateEntered',
      'PassStateExited',
      'ExecutionSucceeded',
    ])
    expect(entries[1]).toEqual({
      id: '2',
      type: 'PassStateEntered',
      details: { name: 'P', input: '{"a":1}', inputDetails: { truncated: false } },
      previous_event_id: '0',
      event_timestamp: expect.stringMatching(/^\d{13}$/),
      execution_arn: executionArn,
      redrive_count: '0',
    })
    client.destroy()
  })

  it('are logged as their state machine wants it, into a file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'stepwright-log-'))
    const destination = join(directory, 'logs', 'executions.jsonl')
    await using server = await startStepFunctions({ executionLog: { destination } })
    const { client, create, start, ended } = createApiClient(server)
    for (const level of ['ERROR', 'FATAL', 'OFF'] as const) {
      const stateMachineArn = await create(level, fails, {
        type,
        loggingConfiguration: { level, destinations },
      })
      await client.send(new sfn.StartSyncExecutionCommand({ stateMachineArn, input: '"secret"' }))
    }
    await ended(await start(await create('standard', pass)))
    const text = await readFile(destination, 'utf8')
    const lines = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as ExecutionLogEntry)
    expect(lines.map(line => [line.execution_arn.split(':')[6], line.type])).toEqual([
      ['ERROR', 'ExecutionFailed'],
      ['FATAL', 'ExecutionFailed'],
      ['standard', 'ExecutionStarted'],
      ['standard', 'PassStateEntered'],
      ['standard', 'PassStateExited'],
      ['standard', 'ExecutionSucceeded'],
    ])
    expect(text).not.toContain('secret')
    client.destroy()
    await rm(directory, { recursive: true })
  })

  it('can be read where that is wanted, and otherwise not, as on AWS', async () => {
    for (const expressHistory of [true, false]) {
      await using server = await startStepFunctions({ expressHistory })
      const { client, create } = createApiClient(server)
      const stateMachineArn = await create('kept', pass, { type })
      const { executionArn } = await client.send(new sfn.StartSyncExecutionCommand({ stateMachineArn }))
      const description = client.send(new sfn.DescribeExecutionCommand({ executionArn }))
      const history = client.send(new sfn.GetExecutionHistoryCommand({ executionArn }))
      const ran = client.send(new sfn.DescribeStateMachineForExecutionCommand({ executionArn }))
      const list = client.send(new sfn.ListExecutionsCommand({ stateMachineArn }))
      if (expressHistory) {
        expect(await ran).toMatchObject({ stateMachineArn, definition: pass })
        expect((await list).executions).toMatchObject([{ executionArn, status: 'SUCCEEDED' }])
        expect(await description).toMatchObject({ status: 'SUCCEEDED', output: '{}', stateMachineArn })
        expect((await history).events).toHaveLength(4)
      } else {
        await expect(description).rejects.toMatchObject({ name: 'InvalidArn' })
        await expect(history).rejects.toMatchObject({ name: 'InvalidArn' })
        await expect(ran).rejects.toMatchObject({ name: 'InvalidArn' })
        await expect(list).rejects.toMatchObject({ name: 'StateMachineTypeNotSupported' })
      }
      client.destroy()
    }
  })

  it('go on where they cannot be logged', async () => {
    const problems: string[] = []
    await using server = await startStepFunctions({
      executionLog: {
        destination: () => {
          throw new Error('no room')
        },
      },
      onProblem: problem => problems.push(problem),
    })
    const { client, create, start, ended } = createApiClient(server)
    const stateMachineArn = await create('unlogged', pass, { type })
    expect(await client.send(new sfn.StartSyncExecutionCommand({ stateMachineArn }))).toMatchObject({
      status: 'SUCCEEDED',
    })
    expect(await ended(await start(await create('standard', pass)))).toMatchObject({ status: 'SUCCEEDED' })
    expect(problems).toHaveLength(8)
    expect(problems[0]).toMatch(/:express:unlogged:.* could not be logged: no room$/)
    client.destroy()
  })

  it('end when the server stops', async () => {
    const entries: ExecutionLogEntry[] = []
    const server = await startStepFunctions({ executionLog: { destination: entry => entries.push(entry) } })
    const { client, create, start } = createApiClient(server)
    await start(await create('endless', waits, { type }))
    client.destroy()
    await server.stop()
    expect(entries.map(entry => entry.type)).toEqual([
      'ExecutionStarted',
      'WaitStateEntered',
      'ExecutionAborted',
    ])
  })
})
