import type { Answer, Call, Engine } from './engine.ts'

type Item = Readonly<Record<string, unknown>>

interface Insert {
  readonly table: string
  readonly item: Item
}

interface Failure {
  readonly Code: string
  readonly Message: string
}

const maxStatements = 25

/**
 * Adds PartiQL's `INSERT INTO "table" VALUE {'name': ?, …}` to an engine that has no PartiQL. Inserts come one after
 * the other, so that of two with one key the second finds the first. Other statements are refused.
 */
export function withInserts(engine: Engine): Engine {
  const keysOf = new Map<string, readonly string[]>()
  let before: Promise<unknown> = Promise.resolve()

  function inTurn(call: Call, statements: readonly unknown[]): Promise<(Failure | undefined)[]> {
    const outcome = before.then(() => insertAll(engine, call, statements, keysOf))
    before = outcome.catch(() => {})
    return outcome
  }

  return async call => {
    if (call.operation === 'BatchExecuteStatement') {
      const statements = (call.input['Statements'] ?? []) as readonly unknown[]
      if (statements.length === 0 || statements.length > maxStatements) {
        return refuse('ValidationException', `a batch must have 1 to ${maxStatements} statements`)
      }
      const outcomes = await inTurn(call, statements)
      return toAnswer(200, { Responses: outcomes.map(failure => (failure ? { Error: failure } : {})) })
    }
    if (call.operation === 'ExecuteStatement') {
      const [failure] = await inTurn(call, [call.input])
      if (failure === undefined) return toAnswer(200, { Items: [] })
      return refuse(`${failure.Code.replace(/Error$/, '')}Exception`, failure.Message)
    }
    if (/^(Create|Delete)Table$/.test(call.operation)) keysOf.clear()
    return engine(call)
  }
}

const unknown: Failure = {
  Code: 'ValidationError',
  Message: `only INSERT INTO "table" VALUE {'name': ?, …} is known here`,
}
const noTable: Failure = { Code: 'ResourceNotFound', Message: 'Requested resource not found' }
const duplicate: Failure = { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' }

async function insertAll(
  engine: Engine,
  call: Call,
  statements: readonly unknown[],
  keysOf: Map<string, readonly string[]>,
): Promise<(Failure | undefined)[]> {
  const inserts = statements.map(parseInsert)
  const outcomes = inserts.map(insert => (insert ? undefined : unknown))
  for (const table of new Set(inserts.flatMap(insert => insert?.table ?? []))) {
    const names = keysOf.get(table) ?? (await describeKeys(engine, call, table))
    if (names) keysOf.set(table, names)
    const mine = inserts.flatMap((insert, index) => (insert?.table === table ? [{ ...insert, index }] : []))
    const keys = new Map(mine.map(({ item }) => [toKeyText(item, names ?? []), toKey(item, names ?? [])]))
    const taken = names ? await findTaken(engine, call, table, [...keys.values()], names) : new Set<string>()
    const puts: unknown[] = []
    for (const { item, index } of mine) {
      const key = toKeyText(item, names ?? [])
      if (names === undefined || taken.has(key)) outcomes[index] = names ? duplicate : noTable
      else puts.push({ PutRequest: { Item: item } })
      taken.add(key)
    }
    if (puts.length === 0) continue
    const { status, body } = await run(engine, call, 'BatchWriteItem', { RequestItems: { [table]: puts } })
    if (status === 200) continue
    const { message: Message = '' } = JSON.parse(body) as { message?: string }
    for (const { index } of mine) outcomes[index] ??= { Code: 'ValidationError', Message }
  }
  return outcomes
}

function parseInsert(given: unknown): Insert | undefined {
  const { Statement, Parameters = [] } = given as { Statement?: unknown; Parameters?: readonly unknown[] }
  const [, table, members] =
    /^\s*INSERT\s+INTO\s+"([\w.-]+)"\s+VALUE\s+\{(.*)\}\s*$/is.exec(`${Statement}`) ?? []
  const names = members?.split(',').map(member => /^\s*'([^']+)'\s*:\s*\?\s*$/.exec(member)?.[1])
  if (table === undefined || names === undefined || names.length !== Parameters.length) return undefined
  const item: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) {
    if (name === undefined) return undefined
    item[name] = Parameters[index]
  }
  return { table, item }
}

async function describeKeys(
  engine: Engine,
  call: Call,
  table: string,
): Promise<readonly string[] | undefined> {
  const { status, body } = await run(engine, call, 'DescribeTable', { TableName: table })
  if (status !== 200) return undefined
  const { Table } = JSON.parse(body) as { Table: { KeySchema: readonly { AttributeName: string }[] } }
  return Table.KeySchema.map(({ AttributeName }) => AttributeName)
}

async function findTaken(
  engine: Engine,
  call: Call,
  table: string,
  keys: readonly Item[],
  names: readonly string[],
): Promise<Set<string>> {
  const input = { RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } }
  const { status, body } = await run(engine, call, 'BatchGetItem', input)
  if (status !== 200) return new Set()
  const { Responses } = JSON.parse(body) as { Responses: Record<string, readonly Item[]> }
  return new Set(Responses[table]?.map(item => toKeyText(item, names)))
}

function toKey(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(names.map(name => [name, item[name]]))
}

function toKeyText(item: Item, names: readonly string[]): string {
  return JSON.stringify(names.map(name => item[name]))
}

function run(engine: Engine, call: Call, operation: string, input: Call['input']): Promise<Answer> {
  const headers = { ...call.headers, 'x-amz-target': `DynamoDB_20120810.${operation}` }
  return engine({ ...call, operation, headers, input, body: Buffer.from(JSON.stringify(input)) })
}

function refuse(name: string, message: string): Answer {
  return toAnswer(400, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message })
}

function toAnswer(status: number, output: unknown): Answer {
  const body = JSON.stringify(output)
  return {
    status,
    headers: { 'Content-Type': 'application/x-amz-json-1.0', 'Content-Length': Buffer.byteLength(body) },
    body,
  }
}
