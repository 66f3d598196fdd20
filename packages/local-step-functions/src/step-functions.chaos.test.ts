import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as sfn from '@aws-sdk/client-sfn'
import { randomFrom } from '@stepwright/bench'
import { chaosRounds } from '@stepwright/bench/chaos'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const serverProgram = join(import.meta.dirname, '../test/step-functions-server.ts')
const steps = 8
const executionsPerRound = 4

const definition = JSON.stringify({
  StartAt: 'Step',
  States: {
    Step: { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:000000000000:function:step', Next: 'Done?' },
    'Done?': {
      Type: 'Choice',
      Choices: [{ Variable: '$.step', NumericGreaterThanEquals: steps, Next: 'Split' }],
      Default: 'Step',
    },
    Split: {
      Type: 'Parallel',
      Branches: [
        { StartAt: 'L', States: { L: { Type: 'Pass', End: true } } },
        { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 0, End: true } } },
      ],
      ResultPath: null,
      End: true,
    },
  },
})

interface Server {
  readonly process: ChildProcess
  readonly client: sfn.SFNClient
}

let directory: string
let running: Server | undefined

async function startServer(): Promise<Server> {
  const child = spawn(process.execPath, [serverProgram, join(directory, 'data'), join(directory, 'ledger')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const client = new sfn.SFNClient({
    endpoint: line.toString().trim(),
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  })
  running = { process: child, client }
  return running
}

async function kill(server: Server): Promise<void> {
  const exit = once(server.process, 'exit')
  server.process.kill('SIGKILL')
  await exit
  server.client.destroy()
  running = undefined
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-sfn-chaos-'))
  await writeFile(join(directory, 'ledger'), '')
})

afterEach(async () => {
  if (running !== undefined) await kill(running)
  await rm(directory, { recursive: true, force: true })
})

describe('a server that is killed in the middle of executions', () => {
  it('loses none, and reports none as succeeded that was not', { timeout: 600_000 }, async () => {
    const random = randomFrom(7)
    const acknowledged = new Map<string, string>()
    const reported = new Map<string, string | undefined>()
    let stateMachineArn: string | undefined

    for (let round = 0; round < chaosRounds(3); round += 1) {
      const server = await startServer()
      const created = await server.client.send(
        new sfn.CreateStateMachineCommand({ name: 'm', definition, roleArn: 'arn:aws:iam::0:role/r' }),
      )
      stateMachineArn = created.stateMachineArn
      const killing = wait(random() * 80).then(() => kill(server))
      for (let index = 0; index < executionsPerRound; index += 1) {
        const name = `r${round}-${index}`
        try {
          const { executionArn = '' } = await server.client.send(
            new sfn.StartExecutionCommand({
              stateMachineArn,
              name,
              input: JSON.stringify({ name, step: 0 }),
            }),
          )
          acknowledged.set(name, executionArn)
        } catch {
          break
        }
      }
      for (const [name, executionArn] of acknowledged) {
        try {
          const { status, output } = await server.client.send(
            new sfn.DescribeExecutionCommand({ executionArn }),
          )
          if (status === 'SUCCEEDED') reported.set(name, output)
        } catch {
          break
        }
      }
      await killing
    }

    const server = await startServer()
    for (const [name, executionArn] of acknowledged) {
      const finished = () => server.client.send(new sfn.DescribeExecutionCommand({ executionArn }))
      await expect.poll(finished, { timeout: 60_000, interval: 20 }).toMatchObject({ status: 'SUCCEEDED' })
      const { output } = await finished()
      expect(JSON.parse(output ?? '')).toEqual({ name, step: steps })
      if (reported.has(name)) expect(output).toBe(reported.get(name))
      const history = await server.client.send(
        new sfn.GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }),
      )
      expect(history.events?.map(event => event.id)).toEqual(history.events?.map((_, index) => index + 1))
    }
    const ledger = new Set((await readFile(join(directory, 'ledger'), 'utf8')).trim().split('\n'))
    for (const name of acknowledged.keys()) {
      for (let step = 0; step < steps; step += 1) expect(ledger).toContain(`${name} ${step}`)
    }
    expect(acknowledged.size).toBeGreaterThan(0)
  })
})
