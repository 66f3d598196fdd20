import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseConnectionError } from '@stepwright/errors'
import { startPostgres } from '@stepwright/local-postgres'
import { createPostgresPool } from '@stepwright/postgres'
import { describe, expect, it } from 'vitest'
import { createPostgresRowSink } from '../postgres.ts'
import { createBatchWriter } from '../writer/batch-writer.ts'
import { ledgerSql } from './ledger.ts'

const nobody = 65534
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** A certificate for 127.0.0.1, readable by the server, which does not run as root. */
async function createCertificate(directory: string): Promise<{ cert: string; key: string }> {
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const subject = ['-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1']
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync(
    'openssl',
    ['req', '-x509', ...algorithm, '-days', '2', ...subject, '-keyout', key, '-out', cert],
    {
      stdio: 'ignore',
    },
  )
  await chmod(directory, 0o755)
  await chmod(key, 0o600)
  if (process.getuid?.() === 0) await chown(key, nobody, nobody)
  return { cert, key }
}

describe.skipIf(!hasOpenssl)('an encrypted connection (needs openssl to make a certificate)', () => {
  it('verifies the server, and carries the cancelling of a statement too', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'certificate-'))
    const { cert, key } = await createCertificate(directory)
    await using server = await startPostgres({
      databaseUrl: '',
      settings: { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key },
    })
    const pool = createPostgresPool({ connectionString: server.url, tls: { ca: await readFile(cert) } })
    const unverified = createPostgresPool({ connectionString: server.url, tls: true })
    try {
      await pool.query(`${ledgerSql()};
        CREATE TABLE slow (id int);
        CREATE FUNCTION wait_long() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$;
        CREATE TRIGGER slow BEFORE INSERT ON slow FOR EACH ROW EXECUTE FUNCTION wait_long()`)
      const { rows } = await pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
      expect(rows).toEqual([{ ssl: true }])

      const write = (through: typeof pool, signal: AbortSignal) => {
        const sink = createPostgresRowSink({ pool: through, tableName: 'slow', columns: ['id'] })
        const chunk = { jobId: 'slow', chunk: '1', checksum: 'x', records: () => [{ id: 1 }], signal }
        return createBatchWriter<object>({ sink, retryForMs: 0 }).write(chunk)
      }
      const never = new AbortController().signal
      await expect(write(unverified, never)).rejects.toThrow(DatabaseConnectionError)

      const controller = new AbortController()
      const cancelled = expect(write(pool, controller.signal)).rejects.toThrow('enough')
      const watcher = createPostgresPool({ connectionString: server.url })
      const sleeping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
      while ((await watcher.query(sleeping)).rows.length === 0) {}
      controller.abort(new Error('enough'))
      await cancelled
      expect((await watcher.query(sleeping)).rows).toEqual([])
      await watcher.end()
    } finally {
      await Promise.all([pool.end(), unverified.end()])
      await rm(directory, { recursive: true, force: true })
    }
  })
})
