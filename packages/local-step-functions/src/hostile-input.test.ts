import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sfn from '@aws-sdk/client-sfn'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StepFunctions, startStepFunctions } from './step-functions.ts'

const role = 'arn:aws:iam::000000000000:role/r'
const task = JSON.stringify({
  StartAt: 'T',
  States: { T: { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:000000000000:function:f', End: true } },
})

let dataDirectory: string
let problems: string[]

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'stepwright-hostile-'))
  problems = []
})

afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

async function start(f: () => unknown): Promise<{ server: StepFunctions; client: sfn.SFNClient }> {
  const server = await startStepFunctions({
    dataDirectory,
    functions: { f },
    onProblem: problem => problems.push(problem),
    onStatusChange: () => {
      throw new Error('deaf')
    },
  })
  return { server, client: new sfn.SFNClient({ ...server.clientConfig, maxAttempts: 1 }) }
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

describe('a server that is given what nobody should give it', () => {
  it('refuses data nested too deep, runs on, and starts again', async () => {
    const first = await start(() => JSON.parse(nested(60_000)))
    const { client } = first
    const { stateMachineArn } = await client.send(
      new sfn.CreateStateMachineCommand({ name: 'm', definition: task, roleArn: role }),
    )
    await expect(
      client.send(new sfn.StartExecutionCommand({ stateMachineArn, input: nested(60_000) })),
    ).rejects.toMatchObject({ name: 'InvalidExecutionInput' })
    await expect(
      client.send(
        new sfn.CreateStateMachineCommand({ name: 'n', definition: nested(60_000), roleArn: role }),
      ),
    ).rejects.toMatchObject({ name: 'InvalidDefinition' })
    const { executionArn } = await client.send(new sfn.StartExecutionCommand({ stateMachineArn }))
    const status = () => client.send(new sfn.DescribeExecutionCommand({ executionArn }))
    await expect.poll(status, { timeout: 20_000 }).toMatchObject({ status: 'FAILED' })
    expect(problems).toContainEqual(expect.stringContaining('deaf'))
    client.destroy()
    await first.server.stop()
    const second = await start(() => 'fine')
    const found = await second.client.send(new sfn.DescribeExecutionCommand({ executionArn }))
    expect(found.status).toBe('FAILED')
    second.client.destroy()
    await second.server.stop()
  })

  it('fails the one execution whose journal cannot be read, and goes on with the others', async () => {
    const first = await start(() => new Promise(() => undefined))
    const { stateMachineArn } = await first.client.send(
      new sfn.CreateStateMachineCommand({ name: 'm', definition: task, roleArn: role }),
    )
    const arns: string[] = []
    for (const name of ['a', 'b']) {
      const { executionArn = '' } = await first.client.send(
        new sfn.StartExecutionCommand({ stateMachineArn, name }),
      )
      arns.push(executionArn)
    }
    first.client.destroy()
    await first.server.stop()
    const running = join(dataDirectory, 'executions', 'running')
    const [file = ''] = await readdir(running)
    await writeFile(join(running, file), 'broken\n', { flag: 'a' })
    const second = await start(() => 'done')
    const statusOf = async (executionArn: string) =>
      (await second.client.send(new sfn.DescribeExecutionCommand({ executionArn }))).status
    await expect
      .poll(async () => (await Promise.all(arns.map(statusOf))).sort(), { timeout: 20_000 })
      .toEqual(['FAILED', 'SUCCEEDED'])
    expect(problems).toContainEqual(expect.stringContaining('cannot be read'))
    second.client.destroy()
    await second.server.stop()
  })
})
