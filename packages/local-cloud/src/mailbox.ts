import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { accessKeyOf, readBody, startLoopbackServer } from '@stepwright/local-server'
import { bareAddress } from './mailbox/address.ts'
import { badRequest } from './mailbox/bad-request.ts'
import { eventsOf, type MailboxEvent } from './mailbox/events-of.ts'
import { openKeptMessages } from './mailbox/kept-messages.ts'
import { type Mail, type MailTemplates, type SendEmail, toMail } from './mailbox/to-mail.ts'
import { Refusal } from './refusal.ts'

export type { MailboxEvent } from './mailbox/events-of.ts'
export type { MailTemplate } from './mailbox/template.ts'
export type { Mail } from './mailbox/to-mail.ts'

export interface MailboxOptions {
  /** @default a free one */
  readonly port?: number
  /** Where messages outlive `stop()`, and a kill. @default nothing does */
  readonly dataDirectory?: string
  /** Messages a second that are taken; those above it are refused as SES does, with 429. @default no limit */
  readonly maxSendRate?: number
  /** Why SES would refuse a message to that address, if it would. @default no address is refused */
  readonly reject?: (address: string) => string | undefined
  /** Why somebody may not send at all, as AWS words it, if so. @default everybody may */
  readonly refusalOf?: (accessKeyId: string) => string | undefined
  /** Hears of each message that was taken. @default nobody does */
  readonly onMail?: (mail: Mail) => void
  /** Those that messages may name, with `{{name}}` for what they fill in. @default none */
  readonly templates?: MailTemplates
  /** @default Date.now */
  readonly now?: () => number
}

export interface Mailbox extends AsyncDisposable {
  readonly endpoint: string
  readonly messages: readonly Mail[]
  clear(): void
  /** Hears what becomes of messages that name a configuration set, as EventBridge would. */
  onEvent(listener: (event: MailboxEvent) => void): void
  stop(): Promise<void>
}

// 40 MB of a message, in base64 within JSON.
const maxRequestBytes = 56 * 1024 * 1024

/** Starts SES's SendEmail (API v2) in this process, on loopback: what is sent can be read. */
export async function startMailbox({
  port = 0,
  dataDirectory,
  maxSendRate = Number.POSITIVE_INFINITY,
  reject = () => undefined,
  refusalOf = () => undefined,
  onMail = () => {},
  templates = {},
  now = Date.now,
}: MailboxOptions = {}): Promise<Mailbox> {
  const kept = openKeptMessages(dataDirectory)
  const listeners: ((event: MailboxEvent) => void)[] = []
  let sent = 0
  let second = 0

  function take(request: SendEmail): Mail {
    const current = Math.floor(now() / 1000)
    if (current !== second) [second, sent] = [current, 0]
    if (sent >= maxSendRate)
      throw new Refusal(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.')
    const mail = toMail(request, randomUUID(), templates)
    for (const address of [...mail.to, ...mail.cc, ...mail.bcc]) {
      const reason = reject(bareAddress(address))
      if (reason !== undefined) throw new Refusal(400, 'MessageRejected', reason)
    }
    sent += 1
    kept.add(mail)
    return mail
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method !== 'POST' || request.url !== '/v2/email/outbound-emails') {
        throw new Refusal(404, 'NotFoundException', 'The mailbox knows only SendEmail.')
      }
      const body = await readBody(request, maxRequestBytes)
      const refused = refusalOf(accessKeyOf(request))
      if (refused !== undefined) throw new Refusal(403, 'AccessDeniedException', refused)
      if (body === undefined) throw new Refusal(413, 'BadRequestException', 'The request is too long.')
      const mail = take(JSON.parse(body.toString()) as SendEmail)
      // Before the answer: who keeps events keeps those of every message that was accepted.
      for (const event of eventsOf(mail, now())) for (const listener of listeners) listener(event)
      respond(response, 200, { MessageId: mail.messageId })
      onMail(mail)
    } catch (error) {
      const { status, type, message } = toRefusal(error)
      respond(response, status, { message }, { 'x-amzn-errortype': type })
    }
  }

  const server = await startLoopbackServer(handle, port)
  const stop = async () => {
    await server.close()
    kept.close()
  }
  return {
    endpoint: server.endpoint,
    messages: kept.messages,
    clear: kept.clear,
    onEvent(listener) {
      listeners.push(listener)
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Not JSON is the caller's fault; a disk that is full, for one, is not. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return error instanceof SyntaxError
    ? badRequest(error.message)
    : new Refusal(500, 'InternalServiceErrorException', String(error))
}

function respond(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
