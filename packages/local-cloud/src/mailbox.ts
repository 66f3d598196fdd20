import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, startLoopbackServer } from '@stepwright/local-server'

/** A message as it was handed in. */
export interface Mail {
  readonly messageId: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string | undefined
  readonly html: string | undefined
  readonly tags: Readonly<Record<string, string>>
}

export interface MailboxOptions {
  /** @default a free one */
  readonly port?: number
  /** Messages a second that are taken; those above it are refused as SES does, with 429. @default no limit */
  readonly maxSendRate?: number
  /** Why SES would refuse a message to that address, if it would. @default no address is refused */
  readonly reject?: (address: string) => string | undefined
  /** @default Date.now */
  readonly now?: () => number
}

export interface Mailbox extends AsyncDisposable {
  readonly endpoint: string
  readonly messages: readonly Mail[]
  clear(): void
  stop(): Promise<void>
}

/** The part of SES's SendEmail that the mailbox reads. */
interface SendEmail {
  readonly FromEmailAddress?: string
  readonly Destination?: { readonly ToAddresses?: readonly string[] }
  readonly Content?: {
    readonly Simple?: {
      readonly Subject?: { readonly Data?: string }
      readonly Body?: {
        readonly Text?: { readonly Data?: string }
        readonly Html?: { readonly Data?: string }
      }
    }
  }
  readonly EmailTags?: readonly { readonly Name: string; readonly Value: string }[]
}

// 40 MB of a message, in base64 within JSON.
const maxRequestBytes = 56 * 1024 * 1024

class Refusal extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

/** Starts SES's SendEmail (API v2) in this process, on loopback: what is sent can be read. */
export async function startMailbox({
  port = 0,
  maxSendRate = Number.POSITIVE_INFINITY,
  reject = () => undefined,
  now = Date.now,
}: MailboxOptions = {}): Promise<Mailbox> {
  const messages: Mail[] = []
  let sent = 0
  let second = 0

  function take(request: SendEmail): Mail {
    const current = Math.floor(now() / 1000)
    if (current !== second) [second, sent] = [current, 0]
    if (sent >= maxSendRate)
      throw new Refusal(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.')
    const mail = toMail(request, `local-${String(messages.length + 1).padStart(8, '0')}`)
    for (const address of mail.to) {
      const reason = reject(address)
      if (reason !== undefined) throw new Refusal(400, 'MessageRejected', reason)
    }
    sent += 1
    messages.push(mail)
    return mail
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method !== 'POST' || request.url !== '/v2/email/outbound-emails') {
        throw new Refusal(404, 'NotFoundException', 'The mailbox knows only SendEmail.')
      }
      const body = await readBody(request, maxRequestBytes)
      if (body === undefined) throw new Refusal(413, 'BadRequestException', 'The request is too long.')
      const mail = take(JSON.parse(body.toString()) as SendEmail)
      respond(response, 200, { MessageId: mail.messageId })
    } catch (error) {
      const { status, type, message } =
        error instanceof Refusal ? error : new Refusal(400, 'BadRequestException', String(error))
      respond(response, status, { message }, { 'x-amzn-errortype': type })
    }
  }

  const server = await startLoopbackServer(handle, port)
  return {
    endpoint: server.endpoint,
    messages,
    clear() {
      messages.length = 0
    },
    stop: server.close,
    [Symbol.asyncDispose]: server.close,
  }
}

function toMail(
  { FromEmailAddress, Destination, Content, EmailTags = [] }: SendEmail,
  messageId: string,
): Mail {
  const to = Destination?.ToAddresses ?? []
  const simple = Content?.Simple
  if (!FromEmailAddress || to.length === 0 || simple?.Subject?.Data === undefined) {
    throw new Refusal(400, 'BadRequestException', 'A message needs a sender, a recipient and a subject.')
  }
  return {
    messageId,
    from: FromEmailAddress,
    to,
    subject: simple.Subject.Data,
    text: simple.Body?.Text?.Data,
    html: simple.Body?.Html?.Data,
    tags: Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value])),
  }
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
