import pg from 'pg'
import { createPostgresJobStore } from '../postgres.ts'
import { trackJob } from '../track-job.ts'

// A worker of its own process: takes the job, works until it is stopped, and says why.
const [url, table, id] = process.argv.slice(2) as [string, string, string]
const pool = new pg.Pool({ connectionString: url, max: 1 })
const jobs = createPostgresJobStore({ pool, tableName: table })
const { job } = await jobs.begin(id, { silentForMs: 0 })
process.stdout.write('working\n')
try {
  await trackJob(
    { jobs, jobId: id, attempt: job?.attempt ?? 0, intervalMs: 10, heartbeatMs: 20 },
    async ({ signal, report }) => {
      report(30)
      const keepAlive = setInterval(() => {}, 1000)
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      clearInterval(keepAlive)
    },
  )
} catch (error) {
  process.stdout.write(`${(error as Error).name}\n`)
}
await pool.end()
