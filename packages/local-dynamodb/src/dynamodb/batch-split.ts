import type { Answer, Call, Engine } from './engine.ts'

type Entry = Readonly<Record<string, unknown>> | readonly unknown[]

/** Carries out the first items of a batch call and reports the rest as unprocessed. */
export async function runPartOfBatch(
  call: Call,
  engine: Engine,
  processed: number | undefined,
): Promise<Answer> {
  if (call.operation === 'BatchExecuteStatement') return runPartOfStatements(call, engine, processed)
  const leftName = call.operation === 'BatchGetItem' ? 'UnprocessedKeys' : 'UnprocessedItems'
  const entries = Object.entries((call.input['RequestItems'] ?? {}) as Record<string, Entry>)
  const total = entries.reduce((sum, [, entry]) => sum + itemsOf(entry).length, 0)
  const wanted = processed ?? Math.floor(total / 2)

  const taken: Record<string, Entry> = {}
  const left: Record<string, Entry> = {}
  let room = wanted
  for (const [table, entry] of entries) {
    const items = itemsOf(entry)
    if (room > 0) taken[table] = withItems(entry, items.slice(0, room))
    if (items.length > room) left[table] = withItems(entry, items.slice(room))
    room = Math.max(0, room - items.length)
  }
  if (Object.keys(taken).length === 0) return toAnswer({ Responses: {}, [leftName]: left }, {})

  const input = { ...call.input, RequestItems: taken }
  const answer = await engine({ ...call, input, body: Buffer.from(JSON.stringify(input)) })
  if (answer.status !== 200) return answer
  return toAnswer({ ...JSON.parse(answer.body), [leftName]: left }, answer.headers)
}

async function runPartOfStatements(
  call: Call,
  engine: Engine,
  processed: number | undefined,
): Promise<Answer> {
  const statements = (call.input['Statements'] ?? []) as readonly unknown[]
  const taken = statements.slice(0, processed ?? Math.floor(statements.length / 2))
  const refused = statements.slice(taken.length).map(() => ({
    Error: { Code: 'ProvisionedThroughputExceeded', Message: 'The throughput was exceeded' },
  }))
  if (taken.length === 0) return toAnswer({ Responses: refused }, {})
  const input = { ...call.input, Statements: taken }
  const answer = await engine({ ...call, input, body: Buffer.from(JSON.stringify(input)) })
  if (answer.status !== 200) return answer
  return toAnswer({ Responses: [...JSON.parse(answer.body).Responses, ...refused] }, answer.headers)
}

function itemsOf(entry: Entry): readonly unknown[] {
  return Array.isArray(entry) ? entry : ((entry as { Keys?: unknown[] }).Keys ?? [])
}

function withItems(entry: Entry, items: readonly unknown[]): Entry {
  return Array.isArray(entry) ? items : { ...entry, Keys: items }
}

function toAnswer(output: unknown, { 'x-amz-crc32': _, ...headers }: Answer['headers']): Answer {
  const body = JSON.stringify(output)
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      ...headers,
      'Content-Length': Buffer.byteLength(body),
    },
    body,
  }
}
