import { workOnJob } from '@stepwright/progress/tasks'

interface Writer {
  write(params: unknown, chapter: number, signal: AbortSignal): Promise<string>
}

const generate = workOnJob({
  name: 'generate',
  description: 'Writes a text for each chapter.',
  errors: [],
  ports: { writer: 'writes a chapter' },
  async work({ job, parts, keep, signal }, { writer }: { writer: Writer }) {
    for (let chapter = 0; chapter < 10; chapter += 1) {
      if (!parts.has(chapter))
        await keep(chapter, await writer.write(job.params, chapter, signal), chapter * 10)
    }
  },
})

export { generate }
