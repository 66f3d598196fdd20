import { readFile } from 'node:fs/promises'
import {
  DescribeExecutionCommand,
  RedriveExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectAgreement } from './test/agreement.ts'
import { definition } from './test/memory-world.ts'
import { type RunningWorld, startWorld } from './test/running-world.ts'
import { toExpectedActivity, toUserLog } from './test/user-log.ts'

const timeout = 120_000
const patience = { timeout: 20_000, interval: 50 }
let world: RunningWorld
let sfn: SFNClient
beforeAll(async () => {
  // The same workflow, which gives up after 3 seconds instead of 600.
  world = await startWorld({ definitions: { process: { ...definition, TimeoutSeconds: 3 } } })
  const { endpoint, region, credentials } = world.running.services.stepFunctions
  sfn = new SFNClient({ endpoint, region, credentials })
}, timeout)
afterAll(async () => {
  sfn.destroy()
  await world[Symbol.asyncDispose]()
}, timeout)

const good = { rows: 400, users: 100 }
const newer = { rows: 600, users: 150 }

/** The commands of a runbook, with what it names in capitals put in, carried out by the SDK. */
async function follow(runbook: string, values: Readonly<Record<string, string>>): Promise<void> {
  const text = await readFile(new URL(`../../../docs/runbooks/${runbook}`, import.meta.url), 'utf8')
  const block = /```sh\n(.*?)```/s.exec(text)?.[1] ?? ''
  const commands = block.split('\n').filter(line => line !== '')
  expect(commands.length).toBeGreaterThan(0)
  const files = new Map<string, string>()
  for (const line of commands) {
    const filled = line.replaceAll(
      /\b[A-Z_]{3,}\b/g,
      name => values[name] ?? expect.fail(`${name} is not known`),
    )
    const [, operation, given = '', file] = /^aws stepfunctions (\S+) (.*?)(?: > (\S+))?$/.exec(filled) ?? []
    const option = (name: string): string => new RegExp(`--${name} (\\S+)`).exec(given)?.[1] ?? ''
    if (operation === 'describe-execution') {
      const found = await sfn.send(new DescribeExecutionCommand({ executionArn: option('execution-arn') }))
      files.set(file ?? '', found[option('query') as 'input'] ?? '')
    } else if (operation === 'start-execution') {
      await sfn.send(
        new StartExecutionCommand({
          stateMachineArn: option('state-machine-arn'),
          name: option('name'),
          input: files.get(option('input').replace('file://', '')),
        }),
      )
    } else expect.fail(`the runbook has another command: ${line}`)
  }
}

describe('recovery', { timeout }, () => {
  it('follows the runbook after a system error: the failed upload is seen when it is run again', async () => {
    await world.process('data/month.csv', toUserLog(good))
    let isBroken = true
    world.running.intercept('CsvProcessor', async (call, event) => {
      const { eventType, itemIndex } = event as { eventType: string; itemIndex?: number }
      const isHit = isBroken && eventType === 'CSV_CHUNK_PROCESSING' && itemIndex !== 1
      if (isHit) throw Object.assign(new Error('the disk is full'), { name: 'BusinessError' })
      return call()
    })
    const failed = await world.process('data/month.csv', toUserLog(newer))
    expect(failed.status).toBe('FAILED')
    expect(await world.activity()).toEqual(toExpectedActivity(good))
    expect(await world.audit.verify(failed.name)).toMatchObject({ ok: true })

    isBroken = false
    const { executionArn, stateMachineArn } = failed
    await follow('execution-failed.md', {
      EXECUTION_ARN: executionArn,
      STATE_MACHINE_ARN: stateMachineArn,
      NAME: failed.name,
    })
    const again = await world.running.ended('process', `${failed.name}-again-1`)
    expect(again.status).toBe('SUCCEEDED')
    await expectAgreement(world, again, newer)
  })

  it('records in the trail that an execution timed out; a redrive goes on and seals it once more', async () => {
    await world.pool.query('truncate user_contribution')
    const blocker = await world.pool.connect()
    await blocker.query('begin; lock table user_contribution in exclusive mode')
    const end = await world.process('data/slow.csv', toUserLog(good))
    expect(end.status).toBe('TIMED_OUT')
    const first = await vi.waitFor(async () => {
      const seal = await world.trail.store.readSeal(end.name)
      expect(seal).toBeDefined()
      return seal
    }, patience)
    const [entry] = await world.entries(end.name)
    expect(entry).toMatchObject({ itemIndex: 0, logType: 'SYSTEM_ERROR', error: { errorType: 'TIMED_OUT' } })
    expect(await world.audit.verify(end.name)).toMatchObject({ ok: true })
    await blocker.query('rollback')
    blocker.release()

    const redriven = world.running.ended('process')
    await sfn.send(new RedriveExecutionCommand({ executionArn: end.executionArn }))
    expect((await redriven).status).toBe('SUCCEEDED')
    expect(await world.activity()).toEqual(toExpectedActivity(good))
    expect(await world.audit.verify(end.name, { mac: first?.mac })).toMatchObject({ ok: true, late: 0 })
    expect(await world.trail.store.readSeal(end.name, 2)).toMatchObject({ previous: first?.mac })
  })

  it('seals with a key that the function which records does not have', () => {
    const values = (name: 'CsvProcessor' | 'SealTrail') => Object.keys(world.running.environmentOf(name))
    expect(values('SealTrail')).toContain('SEAL_KEYS_SECRET')
    expect(values('CsvProcessor')).not.toContain('SEAL_KEYS_SECRET')
  })
})
