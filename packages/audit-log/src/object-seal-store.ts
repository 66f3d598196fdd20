import { ConflictError, isTaskError, NotFoundError } from '@stepwright/errors'
import { sealProblem } from './audit-problem.ts'
import type { SealStore } from './audit-store.ts'
import { areChains, type SealRecord } from './records.ts'

/** What is needed of an object store; `@stepwright/object-store` has it. */
export interface SealObjects {
  /** @throws ConflictError if there is one */
  put(
    key: string,
    body: string,
    options: { readonly ifNoneMatch: '*'; readonly contentType: string },
  ): Promise<unknown>
  /** @throws NotFoundError */
  get(key: string): Promise<{ readonly body: AsyncIterable<Uint8Array> }>
}

export interface ObjectSealStoreOptions {
  /** Of a bucket with Object Lock, where even its owner can neither change nor delete a seal. */
  readonly store: SealObjects
  /** @default 'audit-seals/' */
  readonly prefix?: string
}

/** Seals as objects, one JSON file for each execution and generation. */
export function createObjectSealStore({ store, prefix = 'audit-seals/' }: ObjectSealStoreOptions): SealStore {
  const toKey = (executionId: string, generation: number): string =>
    `${prefix}${encodeURIComponent(executionId)}${generation === 1 ? '' : `/${generation}`}.json`

  async function readSeal(executionId: string, generation = 1): Promise<SealRecord | undefined> {
    const chunks: Uint8Array[] = []
    try {
      for await (const chunk of (await store.get(toKey(executionId, generation))).body) chunks.push(chunk)
    } catch (error) {
      if (isTaskError(error, NotFoundError)) return undefined
      throw error
    }
    return parseSeal(Buffer.concat(chunks).toString())
  }

  return {
    readSeal,
    async putSeal(seal) {
      const { executionId, generation = 1 } = seal
      try {
        const condition = { ifNoneMatch: '*', contentType: 'application/json' } as const
        await store.put(toKey(executionId, generation), `${JSON.stringify(seal)}\n`, condition)
        return seal
      } catch (error) {
        const stored = isTaskError(error, ConflictError) ? await readSeal(executionId, generation) : undefined
        if (stored === undefined) throw error
        return stored
      }
    },
  }
}

function parseSeal(text: string): SealRecord {
  try {
    const seal = JSON.parse(text) as SealRecord
    if (areChains(seal.chains)) return seal
  } catch {
    // It is not ours, then.
  }
  throw sealProblem('changed', 'was changed')
}
