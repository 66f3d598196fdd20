import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import type { ObjectStore } from './object-store.ts'
import { storeErrors } from './task-errors.ts'

export interface PurgeObjectsInput {
  readonly bucket?: string | undefined
  /** Only objects whose keys begin with it; it must not be empty. */
  readonly prefix: string
  /** How long after its last change an object is kept. */
  readonly retentionDays: number
  /** How many objects one run looks at. @default 100_000 */
  readonly maxObjects?: number | undefined
  /** The `startAfter` of the run before, to go on there. */
  readonly startAfter?: string | undefined
}

export interface PurgeObjectsOutput {
  readonly deleted: number
  /** Whether the end of the prefix was reached; if not, run it again with `startAfter`. */
  readonly done: boolean
  readonly startAfter?: string | undefined
}

export interface PurgeObjectsPorts {
  readonly storeOf: (bucket: string | undefined) => Pick<ObjectStore, 'list' | 'deleteMany'>
}

const dayMs = 86_400_000
const batchSize = 1000
/** What one more batch may take. */
const marginMs = 5000

/** Run it on a schedule: deletes objects after their retention, as far as the time allows. */
export const purgeObjects: Task<PurgeObjectsInput, PurgeObjectsOutput, PurgeObjectsPorts> =
  /* @__PURE__ */ defineTask({
    name: 'purge-objects',
    description: 'Deletes the objects below a prefix that have not changed for a number of days.',
    idempotent: true,
    needs: {
      ports: { storeOf: 'the object store of a bucket' },
      permissions: [
        { actions: ['s3:ListBucket'], on: 'the bucket, for the prefix' },
        { actions: ['s3:DeleteObject'], on: 'the objects below the prefix' },
      ],
    },
    input: z.object({
      bucket: z.optional(z.string()),
      prefix: z.string().check(z.minLength(1)),
      retentionDays: z.number().check(z.positive()),
      maxObjects: z._default(z.int().check(z.positive()), 100_000),
      startAfter: z.optional(z.string()),
    }),
    output: z.object({ deleted: z.int(), done: z.boolean(), startAfter: z.optional(z.string()) }),
    errors: storeErrors,
    async run(input, { storeOf }: PurgeObjectsPorts, { signal, now, remainingMs }) {
      const { prefix, retentionDays, maxObjects } = input
      const store = storeOf(input.bucket)
      const keepSince = now() - retentionDays * dayMs
      let { startAfter } = input
      let deleted = 0
      let seen = 0
      let old: string[] = []
      const flush = async (): Promise<void> => {
        await store.deleteMany(old, { signal })
        deleted += old.length
        old = []
      }
      for await (const { key, lastModified } of store.list(prefix, { startAfter, signal })) {
        if (lastModified.getTime() <= keepSince) old.push(key)
        startAfter = key
        seen += 1
        // With each page of the list: an object that is replaced before it is deleted would be lost.
        if (seen % batchSize === 0) await flush()
        if (seen >= maxObjects || (seen % batchSize === 0 && remainingMs() < marginMs)) {
          await flush()
          return { deleted, done: false, startAfter }
        }
      }
      await flush()
      return { deleted, done: true }
    },
  })
