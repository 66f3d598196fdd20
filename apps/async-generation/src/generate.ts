import { NetworkError, ServiceUnavailableException, ThrottlingException } from '@stepwright/errors'
import { keepMissingParts } from '@stepwright/progress'
import { type JobWork, workOnJob } from '@stepwright/progress/tasks'
import type { TaskContext } from '@stepwright/task'
import {
  asDesigned,
  ContextOverflowError,
  GenerationRefusedError,
  InvalidOutputError,
  OutputTruncatedError,
} from './errors.ts'
import { generationOf } from './generation.ts'
import type { GenerationRequest, Generator, TokenUsage } from './generator.ts'

export interface GeneratePorts {
  readonly generator: Generator
  /** How many parts are asked for at once. */
  readonly parallelCalls: number
}

/** Asks the model for the parts that are missing. */
function generateParts(
  work: JobWork,
  { generator, parallelCalls: parallel }: GeneratePorts,
  { metrics }: TaskContext,
): Promise<void> {
  const { requests, progress } = generationOf(work.job.type)
  async function make(request: GenerationRequest): Promise<readonly string[]> {
    const onUsage = ({ inputTokens, outputTokens }: TokenUsage): void => {
      metrics.add('InputTokens', inputTokens)
      metrics.add('OutputTokens', outputTokens)
    }
    return (await generator.generate(request, { signal: work.signal, onUsage })).items
  }
  return keepMissingParts(work, requests(work.job.params), make, { parallel, progress })
}

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
