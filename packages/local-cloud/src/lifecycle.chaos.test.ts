import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { chaosRounds } from '@stepwright/bench/chaos'
import { type DynamoDb, startDynamoDb } from '@stepwright/local-dynamodb'
import { type Postgres, startPostgres } from '@stepwright/local-postgres'
import { type S3, startS3 } from '@stepwright/local-s3'
import { exitOf } from '@stepwright/local-server'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const isRoot = process.getuid?.() === 0
function script(name: string): string {
  return join(import.meta.dirname, '../test/fixtures', name)
}

let home = ''
let abandonedBefore: string[] = []
beforeEach(async () => {
  abandonedBefore = abandonedMemory()
  home = await mkdtemp(join(tmpdir(), 'stepwright lifecycle '))
  await chmod(home, 0o777)
})
afterEach(() => rm(home, { recursive: true, force: true }))

function run(name: string, args: readonly string[], options: object = {}): ChildProcess {
  return spawn(process.execPath, [script(name), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], TMPDIR: home },
    ...options,
  })
}
function linesOf(child: ChildProcess): AsyncIterator<string> {
  return createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
}
function isListening(place: string): Promise<boolean> {
  const { hostname, port } = new URL(place)
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** Processes at work below a directory, where the system shows them. */
function processesBelow(directory: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').filter(pid => {
    try {
      if (!/^\d+$/.test(pid) || /^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return false
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return command.includes(directory) || readlinkSync(`/proc/${pid}/cwd`).startsWith(directory)
    } catch {
      return false
    }
  })
}
/** Shared memory that nobody uses and whose creator is gone, where the system shows it. */
function abandonedMemory(): string[] {
  if (process.platform !== 'linux') return []
  const [, ...rows] = readFileSync('/proc/sysvipc/shm', 'utf8').trim().split('\n')
  return rows
    .map(row => row.trim().split(/\s+/))
    .filter(([, , , , creator, , attached]) => attached === '0' && !existsSync(`/proc/${creator}`))
    .map(([, id = '']) => id)
}
async function nothingLeft(): Promise<void> {
  await expect.poll(() => readdir(home), { timeout: 30_000 }).toEqual([])
  await expect.poll(() => processesBelow(home), { timeout: 30_000 }).toEqual([])
  const newlyAbandoned = (): string[] => abandonedMemory().filter(id => !abandonedBefore.includes(id))
  await expect.poll(newlyAbandoned, { timeout: 30_000 }).toEqual([])
}

describe('a process that is killed', () => {
  it.each([[['postgres', 's3', 'dynamodb']], [['paused']]])('leaves nothing of %j behind', async services => {
    const owner = run('hold-services.ts', services)
    const lines = linesOf(owner)
    await lines.next()
    const places = JSON.parse((await lines.next()).value) as string[]
    expect(await Promise.all(places.map(isListening))).toEqual(places.map(() => true))
    expect(await readdir(home)).not.toEqual([])
    owner.kill('SIGKILL')
    await exitOf(owner)
    await nothingLeft()
    for (const place of places) await expect.poll(() => isListening(place)).toBe(false)
  })

  it('leaves nothing behind whenever it is killed', { timeout: 0 }, async () => {
    const rounds = chaosRounds(1)
    for (let round = 0; round < rounds; round += 1) {
      const owner = run('hold-services.ts', ['postgres', 's3'])
      const lines = linesOf(owner)
      await lines.next()
      const ready = lines.next()
      await Promise.race([ready, wait(((round * 7) % 40) * 25 + 5)])
      owner.kill('SIGKILL')
      await exitOf(owner)
      await nothingLeft()
    }
  })

  it('by Ctrl-C, which the terminal sends to all, leaves nothing behind either', async () => {
    const owner = run('hold-services.ts', ['postgres', 's3'], { detached: true })
    const lines = linesOf(owner)
    await lines.next()
    await lines.next()
    process.kill(-(owner.pid as number), 'SIGINT')
    await exitOf(owner)
    await nothingLeft()
  })
})

describe('starting and stopping many times', () => {
  it.each([
    ['dynamodb', chaosRounds(20)],
    ['s3', chaosRounds(20)],
    ['postgres', chaosRounds(2)],
  ] as const)('leaks nothing: %s', { timeout: 0 }, async (service, rounds) => {
    const child = run('start-and-stop.ts', [service, String(rounds)])
    const { value } = await linesOf(child).next()
    expect(await exitOf(child)).toBe(0)
    const { before, after } = JSON.parse(value) as { before: number; after: number }
    expect(after).toBeLessThanOrEqual(before)
    await nothingLeft()
  })
})

describe('many at the same time', () => {
  it('work side by side', { timeout: 0 }, async () => {
    const many = <T>(count: number, start: () => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: count }, start))
    const databases: Postgres[] = await many(Math.min(20, chaosRounds(2)), () =>
      startPostgres({ databaseUrl: '' }),
    )
    const tables: DynamoDb[] = await many(20, () => startDynamoDb())
    const buckets: S3[] = await many(20, () => startS3())
    const endpoints = [...tables, ...buckets].map(({ endpoint }) => endpoint)
    const urls = databases.map(({ url }) => url)
    expect(new Set([...endpoints, ...urls]).size).toBe(endpoints.length + urls.length)
    for (const endpoint of endpoints) expect((await fetch(endpoint)).status).toBeGreaterThan(0)
    await Promise.all(
      urls.map(async connectionString => {
        const client = new pg.Client({ connectionString })
        await client.connect()
        await client.query('create table only_mine as select 1')
        await client.end()
      }),
    )
    await Promise.all([...databases, ...tables, ...buckets].map(service => service.stop()))
    for (const place of [...endpoints, ...urls]) expect(await isListening(place)).toBe(false)
  })
})

describe('as another user', () => {
  it.skipIf(!isRoot)('works for a normal user as it does for root', async context => {
    const account = { uid: 65534, gid: 65534 }
    const readable = spawn('test', ['-r', script('hold-services.ts')], { ...account, cwd: '/' })
    if ((await exitOf(readable)) !== 0) context.skip('a normal user cannot read this repository')
    const owner = run('hold-services.ts', ['postgres', 's3', 'dynamodb'], { ...account, cwd: '/' })
    const lines = linesOf(owner)
    await lines.next()
    const places = JSON.parse((await lines.next()).value) as string[]
    expect(await Promise.all(places.map(isListening))).toEqual([true, true, true])
    owner.kill('SIGKILL')
    await once(owner, 'close')
    await nothingLeft()
  })
})
