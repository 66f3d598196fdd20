import { isTaskError, SCHEMA_CHECK_FAILED, toTaskError } from '@stepwright/errors'
import { type ObjectStore, replaceJson } from '@stepwright/object-store'
import { type Column, diffSchemas, readFingerprint, schemaHash } from '@stepwright/partitions'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { latestSchemaKey, previousSchemaKey, typesKey } from './dataset.ts'
import { toJsonObjects } from './json-objects.ts'
import { maxDaysOfMap, type TransformPlan, transformPlan } from './plan.ts'
import { findStaleDays, type KnownTable, readTable, recordTypes, type StaleDay } from './table-types.ts'
import { daySchema } from './transform-input.ts'
import { isNarrower } from './typing/column-type.ts'
import { assumeType } from './typing/evidence.ts'
import { staleColumns } from './typing/table-schema.ts'

export interface SchemaPorts {
  readonly curated: Pick<ObjectStore, 'get' | 'put' | 'list'>
}

const maxNamed = 50
const named = z.array(z.string())

/**
 * Whether the catalog has to learn something. The previous fingerprint is the one that it has seen, so that an
 * update that failed, or was put off, is made up for by the next execution.
 */
export const checkSchema = defineTask({
  name: 'check-schema',
  description: 'Compares the schema of a table with the one that the catalog has seen.',
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
  input: z.object({ correlationId: z.string(), plan: transformPlan }),
  output: z.object({
    changed: z.boolean(),
    hash: z.nullable(z.string()),
    /** Columns with their types; at most 50 of each kind are named. */
    diff: z.object({ added: named, removed: named, retyped: named }),
    /** Days whose files have other types: they are rewritten before the catalog learns of the schema. */
    stale: z.array(daySchema).check(z.maxLength(maxDaysOfMap)),
  }),
  errors: [SCHEMA_CHECK_FAILED],
  async run({ plan }, { curated }: SchemaPorts, { signal, logger }) {
    const { columns, stale } = await settleTypes(curated, plan, signal).catch(error => {
      if (isTaskError(error, SCHEMA_CHECK_FAILED)) throw error
      const { name } = toTaskError(error)
      throw new SCHEMA_CHECK_FAILED(`the types of the table could not be read (${name})`, { cause: error })
    })
    const hash = await noteFingerprint(curated, plan, columns, signal)
    const previous = await readFingerprint(toJsonObjects(curated), previousSchemaKey(plan), { signal })
    const all = diffSchemas(previous?.value.columns ?? [], columns)
    const diff = {
      added: all.added.slice(0, maxNamed),
      removed: all.removed.slice(0, maxNamed),
      retyped: all.retyped.slice(0, maxNamed),
    }
    const changed = hash !== null && hash !== previous?.value.hash
    if (stale.length > 0) logger.info('days have narrower types than their table', { days: stale.length })
    else logger.info(changed ? 'schema changed' : 'schema is the same', diff)
    return { changed, hash, diff, stale: stale.map(day => day.partition.ds).slice(0, maxDaysOfMap) }
  },
})

/** The table's columns, and the days that do not have their types yet. */
async function settleTypes(
  curated: SchemaPorts['curated'],
  plan: TransformPlan,
  signal: AbortSignal,
): Promise<{ readonly columns: readonly Column[]; readonly stale: readonly StaleDay[] }> {
  const table = await readTable(curated, plan, signal)
  if (!table.schema.stale) return { columns: columnsOf(table), stale: [] }
  const stale = await findStaleDays(curated, plan, table.schema.columns, signal)
  // Of a table that is older than its evidence, an older day can have the wider type.
  const wider = stale.flatMap(({ manifest }) =>
    staleColumns(table.schema.columns, manifest.columns).filter(({ from, to }) => !isNarrower(from, to)),
  )
  if (wider.length > 0) {
    const learned = wider.map(({ name, from }) => ({ name, evidence: assumeType(from) }))
    const lesson = { learned, given: new Map(), written: [], beforeRetyping: async () => {} }
    await recordTypes(curated, plan, lesson, signal)
    return settleTypes(curated, plan, signal)
  }
  if (stale.length === 0) {
    await replaceJson(curated, typesKey(plan), { ...table.schema, stale: false }, table.stored, { signal })
  }
  return { columns: columnsOf(table), stale }
}

function columnsOf({ schema }: KnownTable): readonly Column[] {
  return schema.columns.flatMap(({ name, type }) => (type === null ? [] : [{ name, type }]))
}

/** The contract's `latest.json`; its hash, or null for a table that nothing is known of. */
async function noteFingerprint(
  curated: SchemaPorts['curated'],
  plan: TransformPlan,
  columns: readonly Column[],
  signal: AbortSignal,
): Promise<string | null> {
  const key = latestSchemaKey(plan)
  const latest = await readFingerprint(toJsonObjects(curated), key, { signal })
  if (columns.length === 0) return latest?.value.hash ?? null
  const hash = schemaHash(columns)
  if (latest?.value.hash === hash) return hash
  const isKept = await replaceJson(curated, key, { hash, columns }, latest, { signal }).catch(cause => {
    const { name } = toTaskError(cause)
    throw new SCHEMA_CHECK_FAILED(`the fingerprint ${key} could not be kept (${name})`, { cause })
  })
  if (isKept) return hash
  throw new SCHEMA_CHECK_FAILED(`the fingerprint ${key} was replaced meanwhile; start the execution again`)
}
