import { readdirSync } from 'node:fs'
import pg from 'pg'
import { startDynamoDb } from '../src/dynamodb.ts'
import { startPostgres } from '../src/postgres.ts'
import { startS3 } from '../src/s3.ts'

// Starts, uses and stops a service many times over, and says what that left open.
const uses = {
  async postgres() {
    const server = await startPostgres({ databaseUrl: '' })
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query('select 1')
    await client.end()
    await server.stop()
  },
  async dynamodb() {
    const server = await startDynamoDb()
    await (await fetch(server.endpoint)).text()
    await server.stop()
  },
  async s3() {
    const server = await startS3({ buckets: ['files'] })
    await (await fetch(server.endpoint)).text()
    await server.stop()
  },
}
const [name = 's3', rounds = '1'] = process.argv.slice(2)
const use = uses[name as keyof typeof uses]
const openFiles = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)

// The first round opens what stays open for good, as the pool of connections of fetch.
await use()
const before = openFiles()
for (let round = 0; round < Number(rounds); round += 1) await use()
process.stdout.write(`${JSON.stringify({ before, after: openFiles() })}\n`)
