import { ServiceUnavailableException } from '@stepwright/errors'
import { startJobOf, workOnJob } from '@stepwright/progress/tasks'
import * as z from 'zod/mini'

/** What the worker needs of its surroundings. A test gives it another one. */
export interface Writer {
  /** Throws ServiceUnavailableException when it does not answer. */
  write(title: string, chapter: string, signal: AbortSignal): Promise<string>
}

const text = z.string().check(z.minLength(1), z.maxLength(200))
const report = z.object({ title: text, chapters: z.array(text).check(z.minLength(1), z.maxLength(50)) })

/** Stores a job and starts its state machine: `202 Accepted`. */
export const startReport = startJobOf(
  z.object({ userId: z.string(), type: z.literal('REPORT'), params: report }),
)

/** What takes long. A chapter that is kept is never written again, whoever goes on with the job. */
export const writeReport = workOnJob<{ readonly writer: Writer }>({
  name: 'write-report',
  description: 'Writes the chapters of a report, and keeps each as soon as it is written.',
  errors: [ServiceUnavailableException],
  ports: { writer: 'writes a chapter' },
  async work({ job, parts, keep, signal }, { writer }) {
    const { title, chapters } = report.parse(job.params)
    for (const [part, chapter] of chapters.entries()) {
      if (parts.has(part)) continue
      signal.throwIfAborted() // cancelled, or another worker has taken over
      const progress = Math.floor(((part + 1) / chapters.length) * 99) // 100 is the end of the job
      await keep(part, await writer.write(title, chapter, signal), progress)
    }
  },
})
