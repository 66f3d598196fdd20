/**
 * The writer against psql and the libraries people write rows with: chunks of 5,000 rows, a transaction each,
 * ours with its ledger entry. Every ratio is rows per second of ours by theirs; a figure is the worst of both
 * tables.
 */

import { assertPsql, compare, figure, psql } from '@stepwright/bench'
import { startPostgres } from '@stepwright/local-postgres'
import { createPostgresPool } from '@stepwright/postgres'
import { ledgerSql } from '../src/postgres/ledger.ts'
import { chunk, chunksOf, type Dataset, type Row, recipients, users } from './data.ts'
import { scattered, tsvFile } from './files.ts'
import { kyselyLibrary, type Library, otherLibraries } from './libraries.ts'
import { load } from './ours.ts'
import { copyScript, upsertScript } from './psql-scripts.ts'

assertPsql()
// Checkpoints and vacuums at their own times would hit one contender and spare another.
const settings = { autovacuum: 'off', max_wal_size: '8GB', checkpoint_timeout: '1h' }
await using server = await startPostgres({ databaseUrl: '', settings })
const { url } = server
const pool = createPostgresPool({ connectionString: url })
const pool5 = createPostgresPool({ connectionString: url, concurrency: 5 })
await pool.query(ledgerSql())

type Ratios = Record<'insert' | 'upsert' | 'reload' | 'kysely' | 'insert5' | 'lateConflict', number>

async function measure(dataset: Dataset, rounds: number, warmups: number): Promise<Ratios> {
  const { table, count } = dataset
  await pool.query(`CREATE TABLE ${table} ${dataset.definition}`)
  const chunks = chunksOf(dataset)
  const file = await tsvFile(dataset, 0, count)
  const fifths = await Promise.all(
    [0, 1, 2, 3, 4].map(i => tsvFile(dataset, (i * count) / 5, ((i + 1) * count) / 5)),
  )
  const kysely = kyselyLibrary(url, dataset, 1)
  const kysely5 = kyselyLibrary(url, dataset, 5)

  let filled = false
  async function assertComplete(): Promise<void> {
    const { rows } = await pool.query(`SELECT count(*)::int AS count FROM ${table}`)
    const stored = rows[0]?.['count']
    if (filled && stored !== count) throw new Error(`${table} has ${stored} rows, not ${count}`)
  }
  /** Checks what the contender before wrote, and puts the given rows into an empty table. */
  const startWith = (present: readonly Row[][]) => async () => {
    await assertComplete()
    await pool.query(`TRUNCATE ${table}`)
    if (present.length > 0) await load(pool, dataset, present)
    await pool.query('CHECKPOINT')
    filled = true
  }
  const empty = { rounds, warmups, before: startWith([]) }
  const title = `${count.toLocaleString('en')} ${table}`

  const insert = await compare(
    `${title}: insert`,
    {
      'psql \\copy': async () => void (await psql(url, copyScript(dataset, file))),
      ours: async () => void (await load(pool, dataset, chunks)),
      'ours, batches of 1,000': async () => void (await load(pool, dataset, chunks, { batchSize: 1000 })),
      'kysely, 5,000': () => each(kysely, chunks, 5000, false),
      'kysely, 1,000': () => each(kysely, chunks, 1000, false),
    },
    empty,
  )
  const upsert = await compare(
    `${title}: first load that may be repeated`,
    {
      'psql staged upsert': async () => void (await psql(url, upsertScript(dataset, file))),
      ours: async () => void (await load(pool, dataset, chunks, { upsert: true })),
      'ours, always unnest': async () =>
        void (await load(pool, dataset, chunks, { upsert: true, path: 'unnest' })),
      'kysely, 5,000': () => each(kysely, chunks, 5000, true),
      'kysely, 1,000': () => each(kysely, chunks, 1000, true),
    },
    empty,
  )
  const again = {
    'psql staged upsert': async () => void (await psql(url, upsertScript(dataset, file))),
    ours: async () => void (await load(pool, dataset, chunks, { upsert: true })),
  }
  const full = await compare(`${title}: all of them again`, again, { ...empty, before: startWith(chunks) })
  const partly = await compare(`${title}: the first 30 % are there`, again, {
    ...empty,
    before: startWith(chunks.slice(0, Math.round(chunks.length * 0.3))),
  })
  const scatteredly = await compare(`${title}: 30 % are there, scattered`, again, {
    ...empty,
    before: startWith(chunks.map(rows => rows.filter((_, i) => (i * 7) % 10 < 3))),
  })
  const late = withLateConflict(chunks)
  const lateConflict = await compare(
    `${title}: a key is taken in the last chunk`,
    {
      ours: async () => void (await load(pool, dataset, late, { upsert: true })),
      'always unnest': async () => void (await load(pool, dataset, late, { upsert: true, path: 'unnest' })),
    },
    empty,
  )
  const five = await compare(
    `${title}: insert, five connections`,
    {
      'five psql \\copy': async () =>
        void (await Promise.all(fifths.map(fifth => psql(url, copyScript(dataset, fifth))))),
      ours: async () => void (await load(pool5, dataset, chunks, { concurrency: 5 })),
      'kysely, 5,000': () => inFives(kysely5, chunks, 5000, false),
      'kysely, 1,000': () => inFives(kysely5, chunks, 1000, false),
    },
    empty,
  )
  const upsert5 = await compare(
    `${title}: first load, five connections`,
    {
      ours: async () => void (await load(pool5, dataset, chunks, { upsert: true, concurrency: 5 })),
      'kysely, 5,000': () => inFives(kysely5, chunks, 5000, true),
      'kysely, 1,000': () => inFives(kysely5, chunks, 1000, true),
    },
    empty,
  )
  await assertComplete()
  await Promise.all([kysely.close(), kysely5.close()])
  const vsKysely = [insert, upsert, five, upsert5].map(
    times => Math.min(times['kysely, 5,000'].medianMs, times['kysely, 1,000'].medianMs) / times.ours.medianMs,
  )
  return {
    insert: insert['psql \\copy'].medianMs / insert.ours.medianMs,
    upsert: upsert['psql staged upsert'].medianMs / upsert.ours.medianMs,
    reload: Math.min(
      ...[full, partly, scatteredly].map(times => times['psql staged upsert'].medianMs / times.ours.medianMs),
    ),
    kysely: Math.min(...vsKysely),
    insert5: five['five psql \\copy'].medianMs / five.ours.medianMs,
    lateConflict: lateConflict.ours.medianMs / lateConflict['always unnest'].medianMs,
  }
}

async function each(
  library: Library,
  chunks: readonly Row[][],
  batchSize: number,
  upsert: boolean,
): Promise<void> {
  for (const rows of chunks) await library.write(rows, batchSize, upsert)
}

async function inFives(
  library: Library,
  chunks: readonly Row[][],
  batchSize: number,
  upsert: boolean,
): Promise<void> {
  const queue = chunks.values()
  const work = async (): Promise<void> => {
    for (const rows of queue) await library.write(rows, batchSize, upsert)
  }
  await Promise.all([1, 2, 3, 4, 5].map(work))
}

/** The last row has the key of the first, and the rows are as many as before. */
function withLateConflict(chunks: readonly Row[][]): Row[][] {
  const last = chunks.at(-1) as Row[]
  return [...chunks.slice(0, -1), [...last, (chunks[0] as Row[])[0] as Row]]
}

/** The rest of the field, on the smaller table. */
async function measureField(dataset: Dataset): Promise<void> {
  const chunks = chunksOf(dataset)
  const libraries = Object.entries(otherLibraries).map(
    ([name, create]) => [name, create(url, dataset)] as const,
  )
  const contenders = libraries.flatMap(([name, library]) =>
    [5000, 1000].map(size => [`${name}, ${size}`, () => each(library, chunks, size, false)] as const),
  )
  await compare(
    `${dataset.count.toLocaleString('en')} ${dataset.table}: insert, other libraries`,
    { ours: async () => void (await load(pool, dataset, chunks)), ...Object.fromEntries(contenders) },
    { rounds: 2, warmups: 0, before: () => pool.query(`TRUNCATE ${dataset.table}`) },
  )
  await Promise.all(libraries.map(([, library]) => library.close()))
}

/** What 137 bad rows cost. */
async function measurePoison(dataset: Dataset): Promise<void> {
  const chunks = chunksOf(dataset)
  const bad = scattered(137, dataset.count, 1)
  const poisoned = chunks.map((rows, c) =>
    rows.map((row, i) => (bad.has(c * chunk + i) ? { ...row, campaign_id: 'seven' } : row)),
  )
  const times = await compare(
    `${dataset.count.toLocaleString('en')} ${dataset.table}: ${bad.size} bad rows among them`,
    {
      clean: async () => void (await load(pool, dataset, chunks, { batchSize: 1000 })),
      poisoned: async () => {
        const rejected = await load(pool, dataset, poisoned, { batchSize: 1000 })
        if (rejected !== bad.size) throw new Error(`${rejected} rows were rejected, not ${bad.size}`)
      },
    },
    { rounds: 3, before: () => pool.query(`TRUNCATE ${dataset.table}`) },
  )
  const cost = (times.poisoned.medianMs - times.clean.medianMs) / bad.size
  console.log(`  each bad row costs ${cost.toFixed(1)} ms`)
}

const small = await measure(recipients, 5, 1)
await measureField(recipients)
await measurePoison(recipients)
const big = await measure(users, 3, 0)
await Promise.all([pool.end(), pool5.end()])

function worst(name: keyof Ratios): number {
  return Math.min(small[name], big[name])
}
figure('writer.insert.vs_copy', worst('insert'), { atLeast: 0.75 })
figure('writer.upsert.vs_psql_upsert', worst('upsert'), { atLeast: 1.2 })
figure('writer.reload.vs_psql_upsert', worst('reload'), { atLeast: 1 })
figure('writer.vs_kysely', worst('kysely'), { atLeast: 1.7 })
figure('writer.insert5.vs_copy5', worst('insert5'), { atLeast: 0.9 })
figure('writer.late_conflict.vs_unnest', Math.max(small.lateConflict, big.lateConflict), { atMost: 1.2 })
