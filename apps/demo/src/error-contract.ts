import assert from 'node:assert/strict'
import { parseCause, toTaskError } from '@stepwright/errors'
import { classifyAws } from '@stepwright/errors/aws'
import { classifyPostgres } from '@stepwright/errors/postgres'
import { describeTask } from '@stepwright/task'
import { toHttpHandler } from '@stepwright/task/http'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { memoryStock, reserveStock, type Stock } from './reserve-stock.ts'
import type { Screen } from './screen.ts'

function ignore() {}
const silent = {
  logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  metrics: { addMetric: ignore, addMetadata: ignore, publishStoredMetrics: ignore },
}

/** The error contract at work. Every claim it prints, it also asserts. */
export async function showErrorContract(screen: Screen): Promise<void> {
  await showUnitTest(screen)
  await showLambda(screen)
  showForeignErrors(screen)
  await showHttp(screen)
}

async function showUnitTest({ title, line, table }: Screen): Promise<void> {
  title('1. A task is declared once, and tested without AWS')
  const stock = memoryStock({ A1: 3 })
  const result = await reserveStock.run({ sku: 'A1', count: 2 }, { stock })
  assert.deepEqual(result, { left: 1 })
  line(`reserve-stock {"sku":"A1","count":2} → ${JSON.stringify(result)}`)
  line('it announces these errors, and no others:')
  table(
    describeTask(reserveStock).errors.map(({ name, kind, retry }) => [
      name,
      kind,
      retry ? `retry after ${retry.intervalSeconds} s, ${retry.maxAttempts} ×` : 'never retried',
    ]),
  )
}

async function showLambda({ title, line, table }: Screen): Promise<void> {
  title('2. As a Lambda: what Step Functions gets to see')
  const failing = (take: Stock['take']) =>
    toLambdaHandler(reserveStock, { ports: { stock: { take } }, ...silent })
  const calls: [what: string, call: () => Promise<unknown>, name: string][] = [
    ['a business rule', () => failing(memoryStock({}).take)({ sku: 'A1', count: 9 }), 'OutOfStock'],
    ['bad input', () => failing(async () => 0)({ sku: 'A1', count: -1 }), 'DataValidationError'],
    [
      'a lost database',
      () => failing(() => Promise.reject(sqlError('57P01')))({ sku: 'A1', count: 1 }),
      'DatabaseConnectionError',
    ],
    [
      'a bug',
      () => failing(() => Promise.reject(new TypeError('x is not a function')))({ sku: 'A1', count: 1 }),
      'UnexpectedError',
    ],
    [
      'no time left',
      () =>
        failing(() => new Promise(ignore))({ sku: 'A1', count: 1 }, { getRemainingTimeInMillis: () => 50 }),
      'TaskTimeoutError',
    ],
  ]
  const rows: string[][] = []
  for (const [what, call, expected] of calls) {
    const error = (await call().then(
      () => assert.fail(`${what} should fail`),
      thrown => thrown,
    )) as Error
    assert.equal(error.name, expected)
    const { message, details } = parseCause({ Error: error.name, Cause: error.message })
    rows.push([error.name, what, details === undefined ? message : `${message} ${JSON.stringify(details)}`])
  }
  table(rows)
  line('names survive minifying; code and details come back with parseCause()')
}

function showForeignErrors({ title, table }: Screen): void {
  title('3. Foreign errors get a name that ErrorEquals can match')
  const foreign: [what: string, error: unknown, name: string][] = [
    ['PostgreSQL 40P01, deadlock', sqlError('40P01'), 'TemporaryError'],
    ['PostgreSQL 23505, duplicate', sqlError('23505'), 'ConflictError'],
    ['PostgreSQL 08P01, protocol violation', sqlError('08P01'), 'UnexpectedError'],
    ['S3 SlowDown', serviceError('SlowDown', 503), 'ThrottlingException'],
    ['S3 NoSuchKey', serviceError('NoSuchKey', 404), 'NotFoundError'],
    [
      'ECONNRESET, two causes deep',
      new Error('a', { cause: new Error('b', { cause: systemError('ECONNRESET') }) }),
      'NetworkError',
    ],
    ['the string "boom"', 'boom', 'UnexpectedError'],
  ]
  table(
    foreign.map(([what, error, expected]) => {
      const { name, kind } = toTaskError(error, classifyAws, classifyPostgres)
      assert.equal(name, expected)
      return [name, kind, what]
    }),
  )
}

async function showHttp({ title, line }: Screen): Promise<void> {
  title('4. Behind API Gateway: the same task, problem details for its errors')
  const handler = toHttpHandler(reserveStock, { ports: { stock: memoryStock({ A1: 3 }) }, ...silent })
  for (const [body, status] of [
    ['{"sku":"A1","count":1}', 200],
    ['{"sku":"A1","count":9}', 409],
    ['{"sku":"A1","count":1,"cuont":2}', 400],
    ['{"sku":', 400],
  ] as const) {
    const response = await handler({ httpMethod: 'POST', path: '/reservations', body })
    assert.equal(response.statusCode, status)
    const { success, data, title, detail } = JSON.parse(response.body)
    line(`${body} → ${response.statusCode} ${success ? JSON.stringify(data) : `${title}: ${detail}`}`)
  }
}

function sqlError(code: string): Error {
  return Object.assign(new Error('the text of the database'), { code })
}

function systemError(code: string): Error {
  return Object.assign(new Error(`read ${code}`), { code })
}

function serviceError(name: string, httpStatusCode: number): Error {
  return Object.assign(new Error(name), { name, $fault: 'client', $metadata: { httpStatusCode } })
}
