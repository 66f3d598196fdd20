import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { ApiContext } from './api/context.ts'
import { costOf } from './api/cost.ts'
import { toLightEvent } from './api/histories.ts'
import { describeMapRuns } from './api/map-runs.ts'
import { toCallDescription } from './api/step.ts'
import { hardening } from './hardening.ts'
import type { LiveMessage } from './protocol.ts'

const pollMs = 250
/** A long history takes long to read: so many times as long, nothing is read then. */
const restFactor = 4
const pingMs = 15_000
const rareTurns = 20
const closing = /^Execution(Succeeded|Failed|Aborted|TimedOut)$/
/** A page that does not read is left; it comes back and asks for what it missed. */
const maxUnreadBytes = 8_000_000

export interface LiveOptions {
  /** The execution whose history is followed. */
  readonly arn: string | undefined
  /** The last event that the page has. */
  readonly after: number
  /** Whether all calls of functions are told, with what they printed, and not only those of the execution. */
  readonly hasAllCalls: boolean
  readonly closing: AbortSignal
  readonly onReload: (listener: () => void) => () => void
}

/** Tells a page what happens until it leaves. */
export async function streamLive(
  response: ServerResponse,
  context: ApiContext,
  options: LiveOptions,
): Promise<void> {
  // What is not there is refused as long as it can be.
  if (options.arn !== undefined) await context.histories.read(options.arn)
  const left = new AbortController()
  response.on('close', () => left.abort())
  const signal = AbortSignal.any([left.signal, options.closing])
  response.writeHead(200, {
    ...hardening,
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  })
  const send = (message: LiveMessage): void => {
    if (signal.aborted) return
    response.write(`data: ${JSON.stringify(message)}\n\n`)
    if (response.writableLength > maxUnreadBytes) response.destroy()
  }
  response.write(': open\n\n')
  const ping = setInterval(() => response.write(': still here\n\n'), pingMs)
  using ends = new DisposableStack()
  ends.defer(() => clearInterval(ping))
  ends.defer(options.onReload(() => send({ topic: 'definitions' })))
  ends.defer(
    context.feed.subscribe({
      onStatusChange: ({ detail }) =>
        send({ topic: 'executions', arn: detail.executionArn, status: detail.status }),
      onCall(call) {
        if (options.hasAllCalls || (options.arn !== undefined && call.state?.executionArn === options.arn))
          send({ topic: 'call', call: toCallDescription(call) })
      },
    }),
  )
  ends.defer(context.running.services.s3.onObjectCreated(() => send({ topic: 'objects' })))
  await Promise.all([
    followMails(context, send, signal),
    options.arn === undefined ? undefined : followHistory(context, options.arn, options.after, send, signal),
  ])
  response.end()
}

async function followMails(
  { running }: ApiContext,
  send: (message: LiveMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  const { mailbox } = running.services
  for (let before = mailbox.messages.length; !signal.aborted; ) {
    await wait(pollMs, undefined, { signal }).catch(() => undefined)
    const now = mailbox.messages.length
    if (now !== before) send({ topic: 'mail' })
    before = now
  }
}

/** Tells what is new in the history that the page looks at, as long as it looks. */
async function followHistory(
  context: ApiContext,
  arn: string,
  after: number,
  send: (message: LiveMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = after
  let hasEnded = false
  let changes = 0
  let told = ''
  // What has ended is asked for rarely before its status changes, as by a redrive.
  using ends = new DisposableStack()
  ends.defer(
    context.feed.subscribe({
      onStatusChange({ detail }) {
        if (detail.executionArn !== arn) return
        hasEnded = false
        changes += 1
      },
    }),
  )
  for (let turn = 0; !signal.aborted; turn += 1) {
    const startedMs = performance.now()
    if (!hasEnded || turn % rareTurns === 0) {
      const changesBefore = changes
      const events = await context.histories.read(arn)
      const [mapRuns, cost] = [await describeMapRuns(context, events), costOf(context, arn, events)]
      const fresh = events.slice(last)
      const state = JSON.stringify([mapRuns, cost])
      if (fresh.length > 0 || state !== told) {
        send({ topic: 'history', arn, events: fresh.map(toLightEvent), mapRuns, cost })
        last += fresh.length
        told = state
      }
      hasEnded = changes === changesBefore && closing.test(events.at(-1)?.type ?? '')
    }
    const restMs = Math.max(pollMs, restFactor * (performance.now() - startedMs))
    await wait(restMs, undefined, { signal }).catch(() => undefined)
  }
}
