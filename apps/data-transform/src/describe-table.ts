import { SCHEMA_CHECK_FAILED, toTaskError } from '@stepwright/errors'
import type { ObjectStore } from '@stepwright/object-store'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { tableInput, toTableInput } from './catalog-table.ts'
import { transformPlan } from './plan.ts'
import { readTable } from './table-types.ts'

export interface DescribePorts {
  readonly curated: Pick<ObjectStore, 'get' | 'list'>
  readonly curatedBucket: string
}

/** What the catalog is told of a table. */
export const describeTable = defineTask({
  name: 'describe-table',
  description: "Makes the catalog's description of a table from its schema.",
  needs: {
    ports: { curated: 'The bucket of what was transformed.', curatedBucket: 'Its name.' },
    permissions: [{ actions: ['s3:GetObject', 's3:ListBucket'], on: 'the bucket of what was transformed' }],
  },
  idempotent: true,
  input: z.object({ correlationId: z.string(), plan: transformPlan }),
  output: z.object({ TableInput: tableInput }),
  errors: [SCHEMA_CHECK_FAILED],
  async run({ plan }, { curated, curatedBucket }: DescribePorts, { signal }) {
    const { schema } = await readTable(curated, plan, signal).catch(error => {
      const { name } = toTaskError(error)
      throw new SCHEMA_CHECK_FAILED(`the types of the table could not be read (${name})`, { cause: error })
    })
    return { TableInput: toTableInput(plan, schema.columns, curatedBucket) }
  },
})
