import { aFunction, assertOptions, wholeFrom } from '@stepwright/errors/options'
import type { JobWork } from './perform-job.ts'

export interface MissingPartsOptions {
  /** How many parts are made at once. @default 1 */
  readonly parallel?: number
  /** The progress of the job when so many of its parts are kept. */
  readonly progress: (parts: number) => number
}

/**
 * Makes the parts of a job that are missing, and keeps each as soon as it is there: part 0 of the first request, and so
 * on. When one fails, what the others have in hand is kept, too, but nothing more is begun.
 */
export async function keepMissingParts<Request>(
  { parts, keep, signal }: Pick<JobWork, 'parts' | 'keep' | 'signal'>,
  requests: readonly Request[],
  make: (request: Request) => Promise<unknown>,
  options: MissingPartsOptions,
): Promise<void> {
  assertOptions('keepMissingParts', options, { parallel: wholeFrom(1), progress: aFunction })
  const { parallel = 1, progress } = options
  const missing = [...requests.entries()].filter(([part]) => !parts.has(part))
  const next = missing.values()
  let kept = parts.size
  let hasFailed = false

  async function work(): Promise<void> {
    for (const [part, request] of next) {
      signal.throwIfAborted()
      const value = await make(request)
      kept += 1
      await keep(part, value, progress(kept))
      if (hasFailed) return
    }
  }
  const working = Array.from({ length: Math.min(parallel, missing.length) }, () =>
    work().catch(error => {
      hasFailed = true
      throw error
    }),
  )
  const ended = await Promise.allSettled(working)
  const failure = ended.find(one => one.status === 'rejected')
  if (failure) throw failure.reason
}
