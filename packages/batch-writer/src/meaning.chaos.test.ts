import { chaosRounds } from '@stepwright/bench/chaos'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Conflict } from './conflict.ts'
import { createPostgresRowSink } from './postgres.ts'
import { testTables } from './test/database.ts'
import { keySpellings } from './test/key-spellings.ts'
import { createBatchWriter } from './writer/batch-writer.ts'

const { pool, query, createTable } = await testTables()
await query(`CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`)
await query(`CREATE TYPE mood AS ENUM ('sad', 'happy')`)
const numRuns = chaosRounds(5)
const path = fc.constantFrom('auto', 'copy', 'probe', 'unnest', 'stage')
let jobs = 0

async function write(options: Parameters<typeof createPostgresRowSink>[0], limits: object, rows: object[]) {
  jobs += 1
  const writer = createBatchWriter<object>({ sink: createPostgresRowSink(options), ...limits })
  return writer.write({ jobId: `job ${jobs}`, chunk: '1', checksum: 'x', records: () => rows })
}

it.each(keySpellings)(
  'stores what single INSERTs store, however keys of type $type are spelled',
  {
    timeout: 600_000,
  },
  async ({ type, spellings }) => {
    const [ours, plain] = [
      await createTable(`(id ${type} PRIMARY KEY, n int)`),
      await createTable(`(id ${type} PRIMARY KEY, n int)`),
    ]
    const record = fc.record({ id: fc.constantFrom(...spellings), n: fc.integer({ min: 1, max: 3 }) })
    const modes = fc.constantFrom<Conflict>(
      { mode: 'update', key: ['id'], columns: ['n'] },
      { mode: 'ignore', key: ['id'] },
      { mode: 'increment', key: ['id'], columns: ['n'] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 8 }),
        modes,
        path,
        fc.integer({ min: 1, max: 4 }),
        async (rows, conflict, way, batchSize) => {
          await write(
            {
              pool,
              tableName: ours as never,
              columns: ['id', 'n'] as never[],
              conflict: conflict as never,
              path: way as 'auto',
            },
            { batchSize },
            rows,
          )
          const set = {
            update: 'UPDATE SET n = excluded.n',
            increment: 'UPDATE SET n = stored.n + excluded.n',
          }
          const action =
            conflict.mode === 'update' || conflict.mode === 'increment' ? set[conflict.mode] : 'NOTHING'
          for (const { id, n } of rows) {
            const given = type === 'jsonb' && typeof id !== 'string' ? JSON.stringify(id) : id
            await pool.query(`INSERT INTO ${plain} AS stored VALUES ($1, $2) ON CONFLICT (id) DO ${action}`, [
              given,
              n,
            ])
          }
          const all = (table: string) => query(`SELECT n FROM ${table}`)
          expect(await all(ours)).toEqual(await all(plain))
        },
      ),
      { numRuns },
    )
  },
)

it('decides about a row by what it refers to, never by unrelated rows', { timeout: 600_000 }, async () => {
  const size = 12
  const row = fc.record({
    ahead: fc.option(fc.integer({ min: 1, max: size }), { freq: 2 }),
    isBad: fc.integer({ min: 0, max: 4 }).map(n => n === 0),
  })
  const mode = fc.constantFrom<Conflict>(
    { mode: 'insert' },
    { mode: 'update', key: ['id'], columns: ['parent', 'n'] },
  )
  const table = await createTable('(id int PRIMARY KEY, parent int REFERENCES $, n int CHECK (n > 0))')
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: size }),
      mode,
      path,
      fc.integer({ min: 1, max: size }),
      fc.boolean(),
      async (given, conflict, way, batchSize, isReversed) => {
        await query(`TRUNCATE ${table}`)
        // Each row refers to one with a higher id, or to none that exists.
        const rows = given.map(({ ahead, isBad }, id) => ({
          id,
          parent: ahead === null ? null : id + ahead,
          n: isBad ? 0 : 1,
        }))
        const isValid = (id: number): boolean => {
          const found = rows[id]
          return found !== undefined && found.n > 0 && (found.parent === null || isValid(found.parent))
        }
        const { counts } = await write(
          {
            pool,
            tableName: table as never,
            columns: ['id', 'parent', 'n'] as never[],
            conflict: conflict as never,
            sortBy: [],
            path: way as 'auto',
          },
          { batchSize },
          isReversed ? rows.toReversed() : rows,
        )
        const stored = await query<{ id: number }>(`SELECT id FROM ${table} ORDER BY id`)
        const valid = rows.filter(({ id }) => isValid(id))
        expect(stored.map(({ id }) => id)).toEqual(valid.map(({ id }) => id))
        expect(counts.rejected).toBe(rows.length - valid.length)
      },
    ),
    { numRuns: numRuns * 5 },
  )
})
