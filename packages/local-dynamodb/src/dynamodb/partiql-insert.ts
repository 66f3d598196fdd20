import type { Call, Engine } from './engine.ts'
import { describeKeys, jsonAnswer, refuse, runCall, tablesOf } from './engine-calls.ts'

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
 * Adds PartiQL's `INSERT INTO "table" VALUE {'name': ?, …}` to an engine that has no PartiQL. Of two inserts with one
 * key, the second waits for the first and finds it. Other statements are refused.
 */
export function withInserts(engine: Engine): Engine {
  const tables = new Map<string, Table>()
  const running = new Map<string, Promise<unknown>>()

  /** Whatever else is inserted at the same time has other keys. */
  async function insertAlone(call: Call, statements: readonly unknown[]): Promise<(Failure | undefined)[]> {
    const inserts = statements.map(parseInsert)
    const names = [...new Set(inserts.flatMap(insert => insert?.table ?? []))]
    for (const name of names) {
      const keyNames = tables.get(name)?.keyNames ?? (await describeKeys(engine, call, name))
      if (keyNames) tables.set(name, { ...tables.get(name), keyNames })
    }
    const places = inserts.flatMap(insert => (insert ? [toPlace(insert, tables)] : []))
    for (let other: Promise<unknown> | undefined; ; await other) {
      other = places.map(place => running.get(place)).find(Boolean)
      if (other === undefined) break
    }
    const outcome = insertAll(engine, call, inserts, tables)
    const ended = outcome.catch(() => {})
    for (const place of places) running.set(place, ended)
    try {
      return await outcome
    } finally {
      for (const place of places) running.delete(place)
    }
  }

  return async call => {
    if (call.operation === 'BatchExecuteStatement') {
      const statements = (call.input['Statements'] ?? []) as readonly unknown[]
      if (statements.length === 0 || statements.length > maxStatements) {
        return refuse('ValidationException', `a batch must have 1 to ${maxStatements} statements`)
      }
      const outcomes = await insertAlone(call, statements)
      return jsonAnswer(200, { Responses: outcomes.map(failure => (failure ? { Error: failure } : {})) })
    }
    if (call.operation === 'ExecuteStatement') {
      const [failure] = await insertAlone(call, [call.input])
      if (failure === undefined) return jsonAnswer(200, { Items: [] })
      return refuse(`${failure.Code.replace(/Error$/, '')}Exception`, failure.Message)
    }
    if (/^((Put|Update|Delete|BatchWrite)Item|TransactWriteItems|UpdateTimeToLive)$/.test(call.operation)) {
      for (const name of tablesOf(call)) tables.delete(name)
    }
    const answer = await engine(call)
    if (answer.status === 200 && /^(Create|Delete)Table$/.test(call.operation)) {
      for (const name of tablesOf(call)) tables.set(name, { inserted: new Set() })
    }
    return answer
  }
}

interface Table {
  readonly keyNames?: readonly string[] | undefined
  /** All keys of the table, as long as nothing but inserts has written to it: then they need not be looked up. */
  readonly inserted?: Set<string> | undefined
}

function toPlace({ table, item }: Insert, tables: ReadonlyMap<string, Table>): string {
  return `${table} ${toKeyText(item, tables.get(table)?.keyNames ?? [])}`
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
  inserts: readonly (Insert | undefined)[],
  tables: ReadonlyMap<string, Table>,
): Promise<(Failure | undefined)[]> {
  const outcomes = inserts.map(insert => (insert ? undefined : unknown))
  for (const table of new Set(inserts.flatMap(insert => insert?.table ?? []))) {
    const { keyNames: names, inserted } = tables.get(table) ?? {}
    const mine = inserts.flatMap((insert, index) => (insert?.table === table ? [{ ...insert, index }] : []))
    if (names === undefined) {
      for (const { index } of mine) outcomes[index] = noTable
      continue
    }
    const taken = inserted ?? (await findTaken(engine, call, table, mine, names))
    const puts = new Map<string, { readonly item: Item; readonly index: number }>()
    for (const { item, index } of mine) {
      const key = toKeyText(item, names)
      if (taken.has(key) || puts.has(key)) outcomes[index] = duplicate
      else puts.set(key, { item, index })
    }
    if (puts.size === 0) continue
    const requests = [...puts.values()].map(({ item }) => ({ PutRequest: { Item: item } }))
    const { status, body } = await runCall(engine, call, 'BatchWriteItem', {
      RequestItems: { [table]: requests },
    })
    const { message: Message = '' } = status === 200 ? {} : (JSON.parse(body) as { message?: string })
    for (const [key, { index }] of puts) {
      if (status === 200) inserted?.add(key)
      else outcomes[index] = { Code: 'ValidationError', Message }
    }
  }
  return outcomes
}

function parseInsert(given: unknown): Insert | undefined {
  const { Statement, Parameters = [] } = given as { Statement?: unknown; Parameters?: readonly unknown[] }
  const [, table, members] =
    /^\s*INSERT\s+INTO\s+"([\w.-]+)"\s+VALUE\s+\{(.*)\}\s*$/is.exec(`${Statement}`) ?? []
  const names = members?.split(',').map(member => /^\s*'([^']+)'\s*:\s*\?\s*$/.exec(member)?.[1])
  if (table === undefined || names === undefined || names.length !== Parameters.length) return undefined
  if (names.includes(undefined)) return undefined
  return { table, item: Object.fromEntries(names.map((name, index) => [name, Parameters[index]])) }
}

async function findTaken(
  engine: Engine,
  call: Call,
  table: string,
  inserts: readonly Insert[],
  names: readonly string[],
): Promise<Set<string>> {
  const keys = new Map(
    inserts.map(({ item }) => [
      toKeyText(item, names),
      Object.fromEntries(names.map(name => [name, item[name]])),
    ]),
  )
  const input = { RequestItems: { [table]: { Keys: [...keys.values()], ConsistentRead: true } } }
  const { status, body } = await runCall(engine, call, 'BatchGetItem', input)
  if (status !== 200) return new Set()
  const { Responses } = JSON.parse(body) as { Responses: Record<string, readonly Item[]> }
  return new Set(Responses[table]?.map(item => toKeyText(item, names)))
}

function toKeyText(item: Item, names: readonly string[]): string {
  return JSON.stringify(names.map(name => toOneForm(item[name])))
}

/** A number has many forms: 120, 1.2e2, 0120.0. */
function toOneForm(value: unknown): unknown {
  const { N } = (value ?? {}) as { N?: unknown }
  const parts = typeof N === 'string' ? /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(N) : null
  if (parts === null) return value
  const [, sign, whole = '', fraction = '', exponent = 0] = parts
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/(?<!0)0+$/, '')
  const power = Number(exponent) - fraction.length + digits.length - significant.length
  return significant === '' ? 0 : `${sign === '-' ? '-' : ''}${significant}e${power}`
}
