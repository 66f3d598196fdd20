import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { testDatabase } from '@stepwright/local-postgres/vitest'
import { afterAll, describe, expect, it } from 'vitest'
import { createPostgresJobStore } from './postgres.ts'
import { cancelJob, updateStatus } from './tasks.ts'
import { openJobTables } from './test/job-tables.ts'

const { url } = await testDatabase()
const tables = openJobTables(url)
afterAll(() => tables.db.destroy())

describe('a worker in another process', () => {
  async function startWorker() {
    const table = await tables.create()
    const jobs = createPostgresJobStore({ pool: tables.pool, tableName: table })
    await jobs.insert({ id: 'j', userId: 'u', type: 'T', targetId: null, params: null, retryCount: 0 })
    const worker = spawn(
      process.execPath,
      [fileURLToPath(new URL('./test/worker-process.ts', import.meta.url)), url, table, 'j'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const lines = createInterface(worker.stdout)[Symbol.asyncIterator]()
    const says = async (): Promise<string | undefined> => (await lines.next()).value
    return { jobs, says, [Symbol.dispose]: () => void worker.kill('SIGKILL') }
  }

  it('is stopped by a cancellation, and cannot complete the job afterwards', async () => {
    using worker = await startWorker()
    expect(await worker.says()).toBe('working')
    const view = await cancelJob.run({ userId: 'u', jobId: 'j' }, worker)
    expect(view.status).toBe('CANCELLED')
    expect(await worker.says()).toBe('JobCancelledError')
    await expect(
      updateStatus.run({ jobId: 'j', status: 'COMPLETED', attempt: 1, result: 1 }, worker),
    ).rejects.toMatchObject({ name: 'JobCancelledError' })
  })

  it('is stopped by another that takes the job over', async () => {
    using worker = await startWorker()
    expect(await worker.says()).toBe('working')
    const takeOver = { jobId: 'j', status: 'PROCESSING', takeOverAfterSeconds: 0 } as const
    const { attempt } = await updateStatus.run(takeOver, worker)
    expect(attempt).toBe(2)
    expect(await worker.says()).toBe('StaleAttemptError')
    expect(await worker.jobs.find('j')).toMatchObject({ attempt: 2, progress: 0 })
  })

  it('is not disturbed by a PROCESSING that comes late', async () => {
    using worker = await startWorker()
    expect(await worker.says()).toBe('working')
    const { attempt } = await updateStatus.run({ jobId: 'j', status: 'PROCESSING' }, worker)
    expect(attempt).toBe(1)
    const { applied } = await worker.jobs.beat('j', 1, 40)
    expect(applied).toBe(true)
    await cancelJob.run({ userId: 'u', jobId: 'j' }, worker)
    expect(await worker.says()).toBe('JobCancelledError')
  })
})
