import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { SFNClient, StartExecutionCommand, TestStateCommand } from '@aws-sdk/client-sfn'
import pg from 'pg'

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
  return {
    tables: TableNames,
    secret: process.env['SECRET'],
    profile: process.env['AWS_PROFILE'] ?? null,
    hasTime: context.getRemainingTimeInMillis() > 1000,
  }
}

/** The SDK sends it to another host than the endpoint's. */
export async function testPass() {
  const definition = JSON.stringify({ Type: 'Pass', Result: 'passed', End: true })
  const { output } = await new SFNClient({}).send(new TestStateCommand({ definition }))
  return output
}

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
