import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
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

const work = 'arn:aws:lambda:us-east-1:000000000000:function:step'

/** A task that notes in the ledger that it was done, as `what`. */
function task(what: string, more: object = { End: true }): object {
  return {
    Type: 'Task',
    Resource: work,
    Parameters: { 'name.$': '$$.Execution.Input.name', 'what.$': `States.Format('${what} {}', $)` },
    ResultPath: null,
    ...more,
  }
}

function machineOf(states: Record<string, object>): object {
  return { StartAt: Object.keys(states)[0], States: states }
}

const definition = JSON.stringify(
  machineOf({
    Step: {
      Type: 'Task',
      Resource: work,
      Retry: [{ ErrorEquals: ['Flaky'], IntervalSeconds: 1, MaxAttempts: 5, MaxDelaySeconds: 1 }],
      Next: 'Done?',
    },
    'Done?': {
      Type: 'Choice',
      Choices: [{ Variable: '$.step', NumericGreaterThanEquals: steps, Next: 'Split' }],
      Default: 'Step',
    },
    Split: {
      Type: 'Parallel',
      InputPath: '$.step',
      Branches: [
        machineOf({ L: task('left', { Next: 'L2' }), L2: task('left again') }),
        machineOf({ W: { Type: 'Wait', Seconds: 0, Next: 'R' }, R: task('right') }),
      ],
      ResultPath: null,
      Next: 'Each',
    },
    Each: {
      Type: 'Map',
      ItemsPath: '$.items',
      MaxConcurrency: 2,
      ItemProcessor: machineOf({ I: task('item', { Next: 'J' }), J: task('item again') }),
      ResultPath: null,
      Next: 'Far',
    },
    Far: {
      Type: 'Map',
      ItemsPath: '$.items',
      ItemSelector: { 'item.$': '$$.Map.Item.Value', 'name.$': '$.name' },
      MaxConcurrency: 2,
      ItemProcessor: {
        ...machineOf({ C: child('child', { Next: 'D' }), D: child('child again') }),
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      },
      ResultPath: null,
      End: true,
    },
  }),
)

function child(what: string, more: object = { End: true }): object {
  return task(what, {
    Parameters: { 'name.$': '$.name', 'what.$': `States.Format('${what} {}', $.item)` },
    ...more,
  })
}

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

/** The calls that are on record as done, as the ledger names them. */
async function finishedCalls(): Promise<Set<string>> {
  const done = new Set<string>()
  const executions = join(directory, 'data', 'executions')
  const files = await readdir(executions, { recursive: true }).catch(() => [])
  for (const file of files.filter(name => name.endsWith('.jsonl') && !name.includes('index'))) {
    const scheduled = new Map<string, string>()
    for (const line of (await readFile(join(executions, file), 'utf8')).split('\n')) {
      if (!line.endsWith('}')) continue
      const { type, place = '', details } = JSON.parse(line)
      if (type === 'LambdaFunctionScheduled') {
        const { name, step, what = step } = details.input
        scheduled.set(place, `${name} ${what}`)
      }
      if (type === 'LambdaFunctionSucceeded') done.add(scheduled.get(place) ?? '')
    }
  }
  return done
}

async function readLedger(): Promise<string[]> {
  return (await readFile(join(directory, 'ledger'), 'utf8')).trim().split('\n')
}

describe('a server that is killed in the middle of executions', () => {
  it('loses none, fails none, and does nothing again that was on record', { timeout: 600_000 }, async () => {
    const random = randomFrom(7)
    const acknowledged = new Map<string, string>()
    const reported = new Map<string, string | undefined>()
    const twice: string[] = []
    let stateMachineArn: string | undefined

    for (let round = 0; round < chaosRounds(4); round += 1) {
      const done = await finishedCalls()
      const before = (await readLedger()).length
      const server = await startServer()
      const created = await server.client.send(
        new sfn.CreateStateMachineCommand({ name: 'm', definition, roleArn: 'arn:aws:iam::0:role/r' }),
      )
      stateMachineArn = created.stateMachineArn
      const killing = wait(30 + random() * 150).then(() => kill(server))
      for (let index = 0; index < executionsPerRound; index += 1) {
        const name = `r${round}-${index}`
        try {
          const { executionArn = '' } = await server.client.send(
            new sfn.StartExecutionCommand({
              stateMachineArn,
              name,
              input: JSON.stringify({ name, step: 0, items: [1, 2, 3] }),
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
      twice.push(...(await readLedger()).slice(before).filter(line => done.has(line)))
    }

    const done = await finishedCalls()
    const before = (await readLedger()).length
    const server = await startServer()
    for (const [name, executionArn] of acknowledged) {
      const finished = () => server.client.send(new sfn.DescribeExecutionCommand({ executionArn }))
      await expect.poll(finished, { timeout: 60_000, interval: 20 }).toMatchObject({ status: 'SUCCEEDED' })
      const { output } = await finished()
      expect(JSON.parse(output ?? '')).toEqual({ name, step: steps, items: [1, 2, 3] })
      if (reported.has(name)) expect(output).toBe(reported.get(name))
      const history = await server.client.send(
        new sfn.GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }),
      )
      expect(history.events?.map(event => event.id)).toEqual(history.events?.map((_, index) => index + 1))
      // The function fails at most once for each execution, and never because of a restart.
      expect(
        history.events?.filter(({ type }) => type === 'LambdaFunctionFailed').length,
      ).toBeLessThanOrEqual(1)
    }
    const ledger = await readLedger()
    twice.push(...ledger.slice(before).filter(line => done.has(line)))
    expect(twice).toEqual([])
    const noted = new Set(ledger)
    for (const name of acknowledged.keys()) {
      for (let step = 0; step < steps; step += 1) expect(noted).toContain(`${name} ${step}`)
      for (const item of [1, 2, 3]) expect(noted).toContain(`${name} child again ${item}`)
    }
    expect(acknowledged.size).toBeGreaterThan(0)
  })
})
