import { startDynamoDb } from '../src/dynamodb.ts'
import { startPostgres } from '../src/postgres.ts'
import { startS3 } from '../src/s3.ts'

// Starts what its arguments name, says where it is, and waits to be killed.
const starters = {
  postgres: async () => (await startPostgres({ databaseUrl: '' })).url,
  paused: async () => {
    const server = await startPostgres({ databaseUrl: '' })
    await server.pause()
    return server.url
  },
  dynamodb: async () => (await startDynamoDb()).endpoint,
  s3: async () => (await startS3({ buckets: ['files'] })).endpoint,
}
const names = process.argv.slice(2) as (keyof typeof starters)[]
const places: string[] = []
process.stdout.write('starting\n')
for (const name of names) places.push(await starters[name]())
process.stdout.write(`${JSON.stringify(places)}\n`)
setInterval(() => {}, 1_000_000)
