import type { Answer, Call, Engine } from './engine.ts'

/** Another call on behalf of the one who made this. */
export function runCall(
  engine: Engine,
  call: Call,
  operation: string,
  input: Call['input'],
): Promise<Answer> {
  const headers = { ...call.headers, 'x-amz-target': `DynamoDB_20120810.${operation}` }
  return engine({ ...call, operation, headers, input, body: Buffer.from(JSON.stringify(input)) })
}

/** The names of the table's key, the partition's first; undefined where there is no such table. */
export async function describeKeys(
  engine: Engine,
  call: Call,
  table: string,
): Promise<readonly string[] | undefined> {
  const { status, body } = await runCall(engine, call, 'DescribeTable', { TableName: table })
  if (status !== 200) return undefined
  const { Table } = JSON.parse(body) as { Table: { KeySchema: readonly { AttributeName: string }[] } }
  return Table.KeySchema.map(({ AttributeName }) => AttributeName)
}

export function jsonAnswer(status: number, content: object): Answer {
  const body = JSON.stringify(content)
  return {
    status,
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'Content-Length': Buffer.byteLength(body),
    },
    body,
  }
}
