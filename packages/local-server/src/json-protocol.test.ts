import { once } from 'node:events'
import { expect, it } from 'vitest'
import { createJsonProtocol, type ServiceOperation } from './json-protocol.ts'
import { startLoopbackServer } from './loopback-server.ts'

async function startService(operate: ServiceOperation) {
  const handle = createJsonProtocol({ target: 'Test', version: '1.0', operations: { Operate: operate } })
  const server = await startLoopbackServer(handle)
  const call = (signal?: AbortSignal) =>
    fetch(server.endpoint, {
      method: 'POST',
      headers: { 'x-amz-target': 'Test.Operate' },
      body: '{}',
      ...(signal && { signal }),
    })
  return { call, close: server.close, [Symbol.asyncDispose]: server.close }
}

/** An operation that goes on for as long as somebody waits for it. */
function waiting() {
  const begun = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const operate: ServiceOperation = async (_, signal) => {
    begun.resolve()
    await once(signal, 'abort')
    left.resolve()
    return {}
  }
  return { operate, begun: begun.promise, left: left.promise }
}

it('tells an operation that its caller has left', async () => {
  const { operate, begun, left } = waiting()
  await using service = await startService(operate)
  const caller = new AbortController()
  const call = service.call(caller.signal)
  await begun
  caller.abort()
  await expect(call).rejects.toThrow('aborted')
  await left
})

it('tells operations that the server is closed, and waits for them', async () => {
  const { operate, begun, left } = waiting()
  const service = await startService(operate)
  const call = service.call()
  await begun
  const closed = service.close()
  await expect(call).rejects.toThrow()
  await left
  await closed
})

it('aborts nothing once it has answered', async () => {
  const signals: AbortSignal[] = []
  const service = await startService((_, signal) => {
    signals.push(signal)
    return {}
  })
  expect((await service.call()).status).toBe(200)
  await service.close()
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})
