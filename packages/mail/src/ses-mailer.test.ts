import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startMailbox } from '@stepwright/local-cloud/mailbox'
import { describe, expect, it } from 'vitest'
import { createSesMailer } from './ses-mailer.ts'

function message(to: string) {
  return {
    from: 'news@example.jp',
    to,
    subject: '件名',
    html: '<p>本文</p>',
    text: '本文',
    headers: { 'List-Unsubscribe': '<https://example.jp/u>' },
    tags: { campaign_id: 'c-1' },
  }
}
const { signal } = new AbortController()
function options(endpoint: string) {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  return { config: { endpoint, region: 'us-east-1', credentials }, configurationSet: 'campaigns' }
}

/** What becomes of a message to a server that answers so. */
async function sendTo(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const delivery = await createSesMailer(options(`http://127.0.0.1:${port}`)).send(
    message('a@example.jp'),
    signal,
  )
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  return delivery
}

describe('createSesMailer', { timeout: 60_000 }, () => {
  it('hands a message in and gives its id', async () => {
    await using mailbox = await startMailbox()
    const mailer = createSesMailer(options(mailbox.endpoint))
    const delivery = await mailer.send(message('a@example.jp'), signal)
    expect(delivery).toEqual({ kind: 'sent', messageId: mailbox.messages[0]?.messageId })
    expect(mailbox.messages).toMatchObject([
      {
        to: ['a@example.jp'],
        subject: '件名',
        html: '<p>本文</p>',
        text: '本文',
        tags: { campaign_id: 'c-1' },
        headers: { 'List-Unsubscribe': '<https://example.jp/u>' },
        configurationSet: 'campaigns',
      },
    ])
  })

  it('tells an address that SES refuses from a message that it refuses for now', async () => {
    await using mailbox = await startMailbox({
      maxSendRate: 0,
      reject: address => (address.startsWith('bounce') ? 'suppressed' : undefined),
    })
    const mailer = createSesMailer(options(mailbox.endpoint))
    expect(await mailer.send(message('a@example.jp'), signal)).toEqual({ kind: 'refused' })
    await using open = await startMailbox({ reject: () => 'suppressed' })
    const bounced = await createSesMailer(options(open.endpoint)).send(message('bounce@example.jp'), signal)
    expect(bounced).toEqual({ kind: 'bounced', reason: 'suppressed' })
  })

  it('takes a server that cannot be reached as a refusal', async () => {
    const mailbox = await startMailbox()
    const mailer = createSesMailer(options(mailbox.endpoint))
    await mailbox.stop()
    expect(await mailer.send(message('a@example.jp'), signal)).toMatchObject({ kind: 'refused' })
  })

  it('takes missing credentials as a refusal', async () => {
    const { config } = options('http://127.0.0.1:1')
    const credentials = async () => {
      throw Object.assign(new Error('the provider does not answer'), { name: 'CredentialsProviderError' })
    }
    const mailer = createSesMailer({ config: { ...config, credentials } })
    expect(await mailer.send(message('a@example.jp'), signal)).toEqual({ kind: 'refused' })
  })

  it.each([
    ['MessageRejected', 400, 'Email address is not verified. The following identities failed', 'stopped'],
    ['AccountSuspendedException', 400, 'suspended', 'stopped'],
    ['MailFromDomainNotVerifiedException', 400, 'no MX', 'stopped'],
    ['NotFoundException', 404, 'Configuration set <x> does not exist.', 'stopped'],
    ['AccessDeniedException', 403, 'no', 'stopped'],
    ['LimitExceededException', 400, 'Daily message quota exceeded', 'refused'],
    ['ThrottlingException', 400, 'Rate exceeded', 'refused'],
    ['MessageRejected', 400, 'Address is on the suppression list', 'bounced'],
    ['BadRequestException', 400, 'Local address contains control or whitespace', 'bounced'],
  ])('takes %s %i %s as %s', async (type, httpStatus, text, kind) => {
    const delivery = await sendTo((_, response) => {
      response.writeHead(httpStatus, { 'x-amzn-errortype': type }).end(JSON.stringify({ message: text }))
    })
    expect(delivery.kind).toBe(kind)
  })

  it.each(['cut', 'fault'])(
    'does not know the fate of a message after a %s, and tries it once',
    async how => {
      let requests = 0
      const delivery = await sendTo((request, response) => {
        requests += 1
        if (how === 'cut') request.socket.destroy()
        else response.writeHead(503).end('{}')
      })
      expect(delivery.kind).toBe('unknown')
      expect(requests).toBe(1)
    },
  )
})
