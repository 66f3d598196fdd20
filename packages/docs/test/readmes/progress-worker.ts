import { runWorker } from '@stepwright/progress'
import { createPostgresJobStore } from '@stepwright/progress/postgres'
import { startJob } from '@stepwright/progress/tasks'
import pg from 'pg'

const pool = new pg.Pool()
const jobs = createPostgresJobStore({ pool })
pool.on('error', () => {})

// The API stores jobs, which wait for a worker.
const ports = { jobs, capacity: 0, launcher: { launch: async () => {} } }
await startJob.run({ userId: 'ann', type: 'REPORT', params: ['Moon', 'Sun'] }, ports)

// Any number of these processes work on them, until SIGTERM.
await runWorker({
  jobs,
  concurrency: 4,
  async work({ job, parts, keep, signal }) {
    for (const [part, chapter] of (job.params as string[]).entries()) {
      if (parts.has(part)) continue
      signal.throwIfAborted()
      await keep(part, `On ${chapter}: …`, part * 50)
    }
  },
})
await pool.end()
