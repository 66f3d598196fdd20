import { NetworkError, ServiceUnavailableException, ThrottlingException } from '@stepwright/errors'
import { type JobWork, updateStatus, workOnJob } from '@stepwright/progress/tasks'
import type { TaskContext } from '@stepwright/task'
import {
  asDesigned,
  ContextOverflowError,
  GenerationRefusedError,
  InvalidOutputError,
  OutputTruncatedError,
} from './errors.ts'
import { generationOf } from './generation.ts'
import type { Generator } from './generator.ts'

export interface GeneratePorts {
  readonly generator: Generator
  /** How many parts are asked for at once. */
  readonly parallelCalls: number
}

/** Asks the model for the parts that are missing, and keeps each as soon as it is there. */
async function generateParts(
  { job, parts, keep, signal }: JobWork,
  { generator, parallelCalls }: GeneratePorts,
  { metrics, remainingMs }: TaskContext,
): Promise<void> {
  const generation = generationOf(job.type)
  const missing = generation
    .requests(job.params)
    .map((request, part) => ({ request, part }))
    .filter(({ part }) => !parts.has(part))
  let done = parts.size
  let hasFailed = false
  const next = missing.values()

  async function work(): Promise<void> {
    for (const { request, part } of next) {
      signal.throwIfAborted()
      const { items, usage } = await generator.generate(request, { signal, remainingMs })
      metrics.add('InputTokens', usage.inputTokens)
      metrics.add('OutputTokens', usage.outputTokens)
      done += 1
      await keep(part, items, generation.progress(done))
      if (hasFailed) return
    }
  }
  const working = Array.from({ length: Math.min(parallelCalls, missing.length) }, () =>
    work().catch(error => {
      hasFailed = true
      throw error
    }),
  )
  // What one of them has in hand when another fails is kept, too, but nothing more is asked for.
  const ended = await Promise.allSettled(working)
  const failure = ended.find(one => one.status === 'rejected')
  if (failure) throw failure.reason
}

/** Moves a job along for the state machine. */
export const updateProcessingState = asDesigned(updateStatus)

export const generate = asDesigned(
  workOnJob<GeneratePorts>({
    name: 'generate',
    description: 'Asks a model for the parts of a generation, and goes on where the one before has stopped.',
    errors: [
      GenerationRefusedError,
      OutputTruncatedError,
      ContextOverflowError,
      InvalidOutputError,
      ThrottlingException,
      ServiceUnavailableException,
      NetworkError,
    ],
    ports: {
      generator: 'asks a model',
      parallelCalls: 'how many parts are asked for at once',
    },
    work: generateParts,
  }),
)
