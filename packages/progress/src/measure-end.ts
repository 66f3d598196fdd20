import type { TaskMetrics } from '@stepwright/task'
import type { Job } from './job.ts'

const metricOf: Readonly<Partial<Record<Job['status'], string>>> = {
  COMPLETED: 'AsyncProcessingCompleted',
  FAILED: 'AsyncProcessingFailed',
  TIMEOUT: 'AsyncProcessingTimeout',
}

/** Counts a job that has ended, and how long its last attempt took. */
export function measureEnd({ status, createdAt, startedAt, completedAt }: Job, metrics: TaskMetrics): void {
  const name = metricOf[status]
  if (name === undefined || completedAt === null) return
  metrics.add(name, 1)
  metrics.add(
    'ProcessingDuration',
    completedAt.getTime() - (startedAt ?? createdAt).getTime(),
    'Milliseconds',
  )
}
