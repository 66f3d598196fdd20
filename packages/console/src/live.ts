import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { ApiContext } from './api/context.ts'
import { toCallDescription } from './api/step.ts'
import { followHistory } from './follow-history.ts'
import { hardening } from './hardening.ts'
import type { LiveMessage } from './protocol.ts'

const pollMs = 250
const pingMs = 15_000
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
    options.arn === undefined
      ? undefined
      : followHistory(context, { arn: options.arn, after: options.after, send, signal }),
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
