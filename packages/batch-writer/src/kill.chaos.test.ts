import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { chaosRounds } from '@stepwright/bench/chaos'
import { startPostgres } from '@stepwright/local-postgres'
import pg from 'pg'
import { expect, it } from 'vitest'
import { ledgerSql } from './postgres/ledger.ts'
import type { Order, Report } from './test/kill-data.ts'

const kills = chaosRounds(10)
const restarts = Math.max(1, Math.min(5, Math.floor(kills / 10)))
const chunks = 40
const rows = kills < 100 ? 40_000 : 200_000
const chunkSize = rows / chunks
const workers = 5
const table = 'recipients'

const workerProcess = new URL('./test/worker-process.ts', import.meta.url)

/** A seat for a worker: whoever sits in it is killed now and then, and followed by another. */
interface Seat {
  child: ChildProcess | undefined
}

it(`writes ${rows} rows once while workers are killed ${kills} times and the server restarts`, {
  timeout: 1_800_000,
}, async () => {
  await using server = await startPostgres({ databaseUrl: '' })
  await query(server.url, ledgerSql())
  await query(server.url, `CREATE TABLE ${table} (id int NOT NULL, email text UNIQUE)`)

  // Every chunk is delivered twice, so that two workers often have the same one.
  const queue = [...Array(chunks).keys(), ...Array(chunks).keys()]
  const written = new Map<number, number>()
  const statuses = { written: 0, recorded: 0 }
  let killed = 0
  let restarted = 0
  let delivered = 0

  async function work(seat: Seat): Promise<void> {
    for (;;) {
      // While kills are left, chunks that are done are delivered again.
      const chunk = queue.shift() ?? (killed < kills ? Math.floor(Math.random() * chunks) : undefined)
      if (chunk === undefined) break
      delivered += 1
      const report = await deliver(seat, chunk)
      if (report === 'killed') {
        killed += 1
        queue.push(chunk)
      } else if ('inserted' in report) {
        statuses[report.event] += 1
        expect(report.inserted).toBe(chunkSize)
        written.set(chunk, report.inserted)
      }
      const due = Math.floor((killed / kills) * restarts)
      if (restarted < due) {
        restarted += 1
        await server.restart()
      }
    }
  }

  async function deliver(seat: Seat, chunk: number): Promise<Report | 'killed'> {
    seat.child ??= await startWorker(server.url)
    const { child } = seat
    const order: Order = { chunk, chunkSize }
    const doomed = killed < kills && Math.random() < 0.7
    const outcome = await new Promise<Report | 'killed' | Error>(resolve => {
      child.once('exit', code =>
        resolve(code === null ? 'killed' : new Error(`a worker ended with code ${code}`)),
      )
      child.on('message', (report: Report) => {
        if (report.event !== 'started') resolve(report)
        else if (doomed) wait(Math.random() * 120).then(() => child.kill('SIGKILL'))
      })
      child.send(order)
    })
    child.removeAllListeners('exit').removeAllListeners('message')
    if (outcome instanceof Error) throw outcome
    if (outcome === 'killed' || child.killed) seat.child = undefined
    return outcome
  }

  const seats: Seat[] = Array.from({ length: workers }, () => ({ child: undefined }))
  try {
    await Promise.all(seats.map(work))
  } finally {
    for (const { child } of seats) child?.kill('SIGKILL')
  }

  expect(killed).toBeGreaterThanOrEqual(kills)
  expect(restarted).toBe(restarts)
  expect(written.size).toBe(chunks)
  const [stored] = await query(
    server.url,
    `SELECT count(*)::int AS rows, count(DISTINCT id)::int AS ids, min(id) AS first, max(id) AS last FROM ${table}`,
  )
  expect(stored).toEqual({ rows, ids: rows, first: 0, last: rows - 1 })
  const [ledger] = await query(
    server.url,
    `SELECT count(*)::int AS chunks, sum(inserted)::int AS inserted, count(completed_at)::int AS completed
       FROM stepwright_chunk_ledger`,
  )
  expect(ledger).toEqual({ chunks, inserted: rows, completed: chunks })
  expect(statuses.recorded).toBeGreaterThan(0)
  expect(delivered).toBeGreaterThan(2 * chunks)
})

async function startWorker(url: string): Promise<ChildProcess> {
  const child = fork(workerProcess, [url, table], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  await new Promise(resolve => child.once('message', resolve))
  return child
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
