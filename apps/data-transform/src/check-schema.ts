import { SCHEMA_CHECK_FAILED } from '@stepwright/errors'
import type { ObjectStore } from '@stepwright/object-store'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { latestSchemaKey, previousSchemaKey } from './dataset.ts'
import { transformPlan } from './plan.ts'
import { readFingerprint } from './read-fingerprint.ts'
import { diffSchemas } from './schema-fingerprint.ts'

export interface SchemaPorts {
  readonly curated: Pick<ObjectStore, 'get'>
}

const maxNamed = 50
const named = z.array(z.string())

/**
 * Whether the catalog has to learn something. The previous fingerprint is the one that it has seen, so that a crawl
 * that failed, or was put off, is made up for by the next execution.
 */
export const checkSchema = defineTask({
  name: 'check-schema',
  description: 'Compares the schema of a table with the one that the catalog has seen.',
  needs: {
    ports: {
      curated: 'The bucket of what was transformed.',
    },
    permissions: [{ actions: ['s3:GetObject', 's3:ListBucket'], on: 'the bucket of what was transformed' }],
  },
  idempotent: true,
  input: z.object({ correlationId: z.string(), plan: transformPlan }),
  output: z.object({
    changed: z.boolean(),
    hash: z.nullable(z.string()),
    /** Columns with their types; at most 50 of each kind are named. */
    diff: z.object({ added: named, removed: named, retyped: named }),
  }),
  errors: [SCHEMA_CHECK_FAILED],
  async run({ plan }, { curated }: SchemaPorts, { signal, logger }) {
    const latest = await readFingerprint(curated, latestSchemaKey(plan), signal)
    const previous = await readFingerprint(curated, previousSchemaKey(plan), signal)
    const all = diffSchemas(previous?.value.columns ?? [], latest?.value.columns ?? [])
    const diff = {
      added: all.added.slice(0, maxNamed),
      removed: all.removed.slice(0, maxNamed),
      retyped: all.retyped.slice(0, maxNamed),
    }
    const changed = latest !== undefined && latest.value.hash !== previous?.value.hash
    logger.info(changed ? 'schema changed' : 'schema is the same', diff)
    return { changed, hash: latest?.value.hash ?? null, diff }
  },
})
