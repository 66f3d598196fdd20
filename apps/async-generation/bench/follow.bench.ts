import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { figure } from '@stepwright/bench'
import { app } from '../src/app.ts'
import { plan } from '../src/test/memory-world.ts'
import { startGenerations, userOf } from '../src/test/running-app.ts'

const clients = 1000

interface Stream {
  readonly response: IncomingMessage
  /** The numbers of the parts that it was told of. */
  readonly parts: Set<string>
  isOver: boolean
}

// As many as come, for as long as it takes: what one process can serve, not what the app allows.
const { EventsHandler: stream, ...others } = app.functions
const unlimited = { ...stream, concurrency: 10_000, timeoutSeconds: 900 }
const declared = { ...app, functions: { ...others, EventsHandler: unlimited } } as typeof app
const environment = { PARALLEL_CALLS: '1' }
await using running = await startGenerations({ latencyMs: 20 }, { environment }, declared)
// The worker begins when all streams are open.
const allOpen = Promise.withResolvers<void>()
running.intercept('AIGenerationWorker', async call => {
  await allOpen.promise
  return call()
})
const { gateway } = running
if (gateway === undefined) throw new Error('the app has routes')
const headers = { authorization: `Bearer ${gateway.issueToken({ sub: 'ann' })}` }
const user = userOf(running, 'ann')
const { data } = await user.generate('TASK_GENERATION', { goal: 'a goal', plan })

async function open(): Promise<Stream> {
  const request = get(`${gateway?.endpoint}/api/ai/async/status/${data.processId}/events`, {
    headers,
    agent: false,
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const stream: Stream = { response, parts: new Set(), isOver: false }
  let rest = ''
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const part = /"part":(\d+)/.exec(block)?.[1]
      if (block.includes('event: part') && part !== undefined) stream.parts.add(part)
      if (block.includes('"status":"COMPLETED"')) stream.isOver = true
    }
  })
  return stream
}

const started = performance.now()
const streams: Stream[] = []
const left = Array.from({ length: clients }).keys()
await Promise.all(
  Array.from({ length: 20 }, async () => {
    for (const _ of left) streams.push(await open())
  }),
)
console.log(`${streams.length} streams open after ${(performance.now() - started).toFixed(0)} ms`)
allOpen.resolve()
for (let waited = 0; waited < 120_000 && !streams.every(({ isOver }) => isOver); waited += 100)
  await pause(100)
const whole = streams.filter(({ parts, isOver }) => isOver && parts.size === 64)
figure('async.sse_clients', whole.length, { atLeast: clients })
for (const { response } of streams) response.destroy()
