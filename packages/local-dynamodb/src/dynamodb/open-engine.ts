/// <reference path="./dynalite.d.ts" />
import type { Server } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import dynalite from 'dynalite'
import dynaliteDb, { type DynaliteOptions, type Store } from 'dynalite/db/index.js'
import scan from 'dynalite/validations/scan.js'
import type { Call, Engine } from './engine.ts'
import { repairStore } from './repair-store.ts'

// Its Scan reads this field, but its list of fields lacks it, so that it would be dropped.
scan.types['ConsistentRead'] = 'Boolean'

export interface OpenedEngine {
  readonly engine: Engine
  readonly store: Store
  close(): Promise<void>
}

export interface EngineOptions {
  readonly tableDelayMs: number
  /** A directory for the tables. @default memory */
  readonly path: string | undefined
}

/**
 * dynalite without its HTTP server: a request that a client aborts would raise an uncaught error there,
 * and faults are injected into calls rather than sockets.
 */
export async function openEngine({ tableDelayMs, path }: EngineOptions): Promise<OpenedEngine> {
  const { server, store } = createDynalite({
    createTableMs: tableDelayMs,
    updateTableMs: tableDelayMs,
    deleteTableMs: tableDelayMs,
    ...(path !== undefined && { path }),
  })
  try {
    await store.db.open()
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    if (cause?.code !== 'LEVEL_LOCKED') throw error
    throw new Error(`the tables in ${path} are in use by another server`, { cause: error })
  }
  if (path !== undefined) await repairStore(store)
  return { engine: toEngine(server, tableDelayMs), store, close: () => store.db.close() }
}

// dynalite closes its store only with its own HTTP server, which never listens here.
function createDynalite(options: DynaliteOptions): { server: Server; store: Store } {
  const { create } = dynaliteDb
  const stores: Store[] = []
  dynaliteDb.create = given => {
    const store = create(given)
    stores.push(store)
    return store
  }
  try {
    const server = dynalite(options)
    return { server, store: stores[0] as Store }
  } finally {
    dynaliteDb.create = create
  }
}

function toEngine(server: Server, tableDelayMs: number): Engine {
  const run: Engine = call =>
    new Promise(resolve => {
      const request = Object.assign(Readable.from(call.body.length === 0 ? [] : [call.body]), {
        method: call.method,
        url: call.url,
        headers: call.headers,
      })
      const headers: Record<string, string | number> = {}
      const response = {
        statusCode: 200,
        setHeader(name: string, value: string | number) {
          headers[name] = value
        },
        end(body = '') {
          resolve({ status: response.statusCode, headers, body })
        },
      }
      server.emit('request', request, response)
    })
  if (tableDelayMs > 0) return run
  return async call => {
    const answer = await run(call)
    if (answer.status === 200 && /^(Create|Update|Delete)Table$/.test(call.operation)) await settle(run, call)
    return answer
  }
}

// dynalite changes the state of a table in a timer even after 0 ms. An SDK waiter that looks too early
// waits 20 s before it looks again.
async function settle(run: Engine, call: Call): Promise<void> {
  const body = Buffer.from(JSON.stringify({ TableName: call.input['TableName'] }))
  const headers = { ...call.headers, 'x-amz-target': 'DynamoDB_20120810.DescribeTable' }
  for (;;) {
    const answer = await run({ ...call, operation: 'DescribeTable', headers, body })
    if (!/"(TableStatus|IndexStatus)":"(CREATING|UPDATING|DELETING)"/.test(answer.body)) return
    await wait(1)
  }
}
