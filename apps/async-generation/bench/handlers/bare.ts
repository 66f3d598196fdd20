import { randomUUID } from 'node:crypto'
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import pg from 'pg'

// What a start can be at the least: one INSERT and one StartExecution, with no checks at all.

const pool = new pg.Pool({ connectionString: String(process.env['DATABASE_URL']), max: 10 })
const client = new SFNClient({})
const stateMachineArn = String(process.env['STATE_MACHINE_ARN'])

interface Event {
  readonly body: string
  readonly requestContext: { readonly authorizer: { readonly claims: { readonly sub: string } } }
}

export async function start({ body, requestContext }: Event): Promise<object> {
  const { params } = JSON.parse(body) as { params: object }
  const name = randomUUID()
  await pool.query('insert into bare_job (id, user_id, params, status) values ($1, $2, $3, $4)', [
    name,
    requestContext.authorizer.claims.sub,
    params,
    'PENDING',
  ])
  const input = JSON.stringify({ jobId: name })
  await client.send(new StartExecutionCommand({ stateMachineArn, name, input }))
  return { statusCode: 202, body: JSON.stringify({ success: true, data: { processId: name } }) }
}
