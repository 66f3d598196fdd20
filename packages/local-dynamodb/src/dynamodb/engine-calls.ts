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

export function refuse(name: string, message: string, details: object = {}): Answer {
  return jsonAnswer(400, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, ...details })
}

/** The tables that a call is about. */
export function tablesOf({ input }: Call): string[] {
  const listed = (name: string): readonly unknown[] => (Array.isArray(input[name]) ? input[name] : [])
  const statements = [input, ...listed('Statements')] as readonly { readonly Statement?: unknown }[]
  const actions = listed('TransactItems').flatMap(entry => Object.values(entry ?? {}))
  return [
    input['TableName'],
    ...Object.keys(input['RequestItems'] ?? {}),
    ...statements.map(({ Statement }) => Statement && /"([\w.-]+)"/.exec(`${Statement}`)?.[1]),
    ...actions.map(action => (action as { TableName?: unknown } | null)?.TableName),
  ].filter(name => typeof name === 'string')
}
