import { SCHEMA_CHECK_FAILED, toTaskError } from '@stepwright/errors'
import type { ObjectStore } from '@stepwright/object-store'
import { readFingerprint } from '@stepwright/partitions'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { latestSchemaKey, previousSchemaKey } from './dataset.ts'
import { toJsonObjects } from './json-objects.ts'
import { transformPlan } from './plan.ts'

/** Notes the schema that was compared before the catalog was updated. */
export const acceptSchema = defineTask({
  name: 'accept-schema',
  description: 'Notes which schema the catalog has seen.',
  needs: {
    ports: {
      curated: 'The bucket of what was transformed.',
    },
    permissions: [
      {
        actions: ['s3:GetObject', 's3:ListBucket', 's3:PutObject'],
        on: 'the bucket of what was transformed',
      },
    ],
  },
  idempotent: true,
  input: z.object({ correlationId: z.string(), plan: transformPlan, hash: z.nullable(z.string()) }),
  output: z.object({ accepted: z.boolean() }),
  errors: [SCHEMA_CHECK_FAILED],
  async run({ plan, hash }, { curated }: { readonly curated: Pick<ObjectStore, 'get' | 'put'> }, { signal }) {
    const latest = await readFingerprint(toJsonObjects(curated), latestSchemaKey(plan), { signal })
    // One that came since is for the next update.
    if (latest === undefined || latest.value.hash !== hash) return { accepted: false }
    try {
      await curated.put(previousSchemaKey(plan), JSON.stringify(latest.value), {
        contentType: 'application/json',
        signal,
      })
    } catch (error) {
      const { name } = toTaskError(error)
      throw new SCHEMA_CHECK_FAILED(`the fingerprint could not be kept (${name})`, { cause: error })
    }
    return { accepted: true }
  },
})
