import { startPostgres } from '@stepwright/local-postgres'
import pg from 'pg'
import { expect, it } from 'vitest'
import { quietLogs } from './database.ts'

/** PostgreSQL's own defaults. */
const ofPostgres = {
  log_error_verbosity: 'default',
  log_min_error_statement: 'error',
  log_min_messages: 'warning',
}

/** What a server with these settings logs of rows that it rejects. */
async function logOf(settings: Readonly<Record<string, string>>): Promise<string> {
  await using server = await startPostgres({ settings: { logging_collector: 'on', ...settings } })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    await client.query('create table contact (id int primary key, email text check (email like $$%@%$$))')
    const insert = 'insert into contact values ($1, $2)'
    for (const row of [
      [1, 'marked-check'],
      ['marked-type', 'a@b'],
    ])
      await expect(client.query(insert, row)).rejects.toThrow()
    // The server writes its log later: a failed sign-in is in it at every level, behind all else.
    const stranger = new pg.Client({ connectionString: server.url.replace('//postgres:', '//nobody-there:') })
    await expect(stranger.connect()).rejects.toThrow()
    const read = async () =>
      (await client.query('select pg_read_file(pg_current_logfile()) as log')).rows[0].log
    await expect.poll(read, { timeout: 10_000 }).toContain('nobody-there')
    return await read()
  } finally {
    await client.end()
  }
}

it('keeps rejected rows out of the log, where PostgreSQL by itself writes them', async () => {
  expect(await logOf(ofPostgres)).toContain('marked-check')
  const quiet = await logOf(quietLogs)
  expect(quiet).not.toContain('marked')
})
