import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { ApiContext } from './api/context.ts'
import { describeMapRuns } from './api/executions.ts'
import { toLightEvent } from './api/histories.ts'
import { toCallDescription } from './api/step.ts'
import type { LiveMessage } from './protocol.ts'

const pollMs = 250
const pingMs = 15_000
const rareTurns = 20
const closing = /^Execution(Succeeded|Failed|Aborted|TimedOut)$/

export interface LiveOptions {
  /** The execution whose history is followed. */
  readonly arn: string | undefined
  /** The last event that the page has. */
  readonly after: number
  readonly closing: AbortSignal
  readonly onReload: (listener: () => void) => () => void
}

/** Tells a page what happens until it leaves. */
export async function streamLive(
  response: ServerResponse,
  context: ApiContext,
  options: LiveOptions,
): Promise<void> {
  const left = new AbortController()
  response.on('close', () => left.abort())
  const signal = AbortSignal.any([left.signal, options.closing])
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const send = (message: LiveMessage): void => {
    if (!signal.aborted) response.write(`data: ${JSON.stringify(message)}\n\n`)
  }
  response.write(': open\n\n')
  const ping = setInterval(() => response.write(': still here\n\n'), pingMs)
  const ends = [
    () => clearInterval(ping),
    options.onReload(() => send({ topic: 'definitions' })),
    context.feed.subscribe({
      onStatusChange: ({ detail }) =>
        send({ topic: 'executions', arn: detail.executionArn, status: detail.status }),
      onCall: call => send({ topic: 'call', call: toCallDescription(call) }),
    }),
    context.running.services.s3.onObjectCreated(() => send({ topic: 'objects' })),
  ]
  try {
    await follow(context, options, send, signal)
  } finally {
    for (const end of ends) end()
    response.end()
  }
}

/** Reads what is new in the history that the page looks at, and counts messages, as long as it looks. */
async function follow(
  context: ApiContext,
  { arn, after }: LiveOptions,
  send: (message: LiveMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = after
  let hasEnded = false
  let changes = 0
  let mails = context.running.services.mailbox.messages.length
  let counts = ''
  // What has ended is asked for rarely before its status changes, as by a redrive.
  const unsubscribe = context.feed.subscribe({
    onStatusChange({ detail }) {
      if (detail.executionArn !== arn) return
      hasEnded = false
      changes += 1
    },
  })
  for (let turn = 0; !signal.aborted; turn += 1) {
    if (arn !== undefined && (!hasEnded || turn % rareTurns === 0)) {
      const changesBefore = changes
      const [events, mapRuns] = await Promise.all([
        context.histories.read(arn),
        describeMapRuns(context, arn),
      ])
      const fresh = events.slice(last)
      const told = JSON.stringify(mapRuns)
      if (fresh.length > 0 || told !== counts) {
        send({ topic: 'history', arn, events: fresh.map(toLightEvent), mapRuns })
        last = events.length
        counts = told
      }
      hasEnded = changes === changesBefore && closing.test(events.at(-1)?.type ?? '')
    }
    const now = context.running.services.mailbox.messages.length
    if (now !== mails) send({ topic: 'mail' })
    mails = now
    await wait(pollMs, undefined, { signal }).catch(() => undefined)
  }
  unsubscribe()
}
