import { once } from 'node:events'
import { connect } from 'node:net'
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { SFNClient, StartExecutionCommand, TestStateCommand } from '@aws-sdk/client-sfn'
import { defineTask } from '@stepwright/task'
import { type EventStreamHandler, type ServerSentEvent, toEventStreamHandler } from '@stepwright/task/http'
import pg from 'pg'
import * as z from 'zod'

// Plain handlers, with clients that only know their environment.

async function withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: String(process.env['DATABASE_URL']) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function migrate(): Promise<void> {
  await withDatabase(client => client.query('create table if not exists seen (key text)'))
}

export async function record({ key, to }: { key: string; to: string }) {
  return withDatabase(async client => {
    await client.query('insert into seen values ($1)', [key])
    const { rows } = await client.query('select key from seen order by key')
    return { seen: rows.map(row => row.key), to }
  })
}

export async function start(event: { detail: { object: { etag: string } } }) {
  const client = new SFNClient({})
  const stateMachineArn = String(process.env['RECORD_ARN'])
  const name = `object-${event.detail.object.etag}`
  try {
    await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(event) }))
  } catch (error) {
    if ((error as Error).name !== 'ExecutionAlreadyExists') throw error
  }
}

export async function look(_event: unknown, context: { getRemainingTimeInMillis(): number }) {
  const client = new DynamoDBClient({})
  const { TableNames } = await client.send(new ListTablesCommand())
  const seen = {
    tables: TableNames,
    secret: process.env['SECRET'],
    profile: process.env['AWS_PROFILE'] ?? null,
    hasTime: context.getRemainingTimeInMillis() > 1000,
  }
  return { statusCode: 200, body: JSON.stringify(seen) }
}

/** The SDK sends it to another host than the endpoint's. */
export async function testPass() {
  const definition = JSON.stringify({ Type: 'Pass', Result: 'passed', End: true })
  const { output } = await new SFNClient({}).send(new TestStateCommand({ definition }))
  return output
}

/** The numbers up to the one that was asked for; those of a reader that leaves end at once. */
const counting = defineTask({
  name: 'count',
  input: z.object({ to: z.coerce.number() }),
  output: z.custom<AsyncIterable<ServerSentEvent>>(),
  errors: [],
  run: ({ to }, _ports, { signal }) => countTo(to, signal),
})

let lefts = 0

async function* countTo(to: number, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  yield { event: 'lefts', data: lefts }
  for (let id = 1; id <= to; id += 1) yield { id: String(id), data: { padding: 'x'.repeat(to), id } }
  if (to > 0) return
  await once(signal, 'abort')
  lefts += 1
}

export const count: EventStreamHandler = toEventStreamHandler(counting)

/** A service that does not run here is not asked elsewhere. */
export async function callElsewhere() {
  const client = new DynamoDBClient({ endpoint: String(process.env['AWS_ENDPOINT_URL']), maxAttempts: 1 })
  await client.send(new CreateTableCommand({ TableName: 'x', KeySchema: [], AttributeDefinitions: [] }))
}

export async function misbehave({ how }: { how: string }): Promise<unknown> {
  if (how === 'exit') process.exit(3)
  if (how === 'bigint') return 1n
  if (how === 'text') throw 'just a text'
  if (how === 'hang') await new Promise(() => {})
  if (how === 'pid') return process.pid
  if (how === 'print') return process.stdout.write('printed by this call\n')
  throw Object.assign(new Error('no stock left'), { name: 'OutOfStock' })
}

/** Fails once the gateway has begun to answer a request. */
export async function knock(): Promise<never> {
  const { hostname, port, host } = new URL(process.env['API'] ?? '')
  const socket = connect(Number(port), hostname).on('error', () => {})
  socket.write(`GET /look HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\n\r\n`)
  await once(socket, 'data')
  throw new Error('nobody is there')
}
