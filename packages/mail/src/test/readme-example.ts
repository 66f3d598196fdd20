import {
  createUnsubscribeTokens,
  fillPlaceholders,
  type Mailer,
  type Outbox,
  type SendProgress,
  sendOutbox,
  toOneLine,
  unsubscribeHeaders,
} from '@stepwright/mail'

interface Customer {
  readonly email: string
  readonly name: string
}

export async function sendNews(
  outbox: Outbox<Customer>,
  mailer: Mailer,
  key: Uint8Array,
): Promise<SendProgress> {
  const tokens = createUnsubscribeTokens([key])
  return sendOutbox({
    outbox, // claims, records and releases: see the port
    mailer, // createSesMailer({ configurationSet: 'news' }) of @stepwright/mail/ses
    toMessage: ({ email, name }) => ({
      from: 'News <news@example.com>',
      to: email,
      subject: fillPlaceholders('Hello {name}', { name: toOneLine(name) }),
      html: '<p>There is news.</p>',
      text: 'There is news.',
      headers: unsubscribeHeaders(
        `https://example.com/unsubscribe?token=${tokens.seal({ address: email, source: 'news' })}`,
      ),
    }),
    maxSendRate: 14,
    now: Date.now,
    until: Date.now() + 60_000,
    sleep: ms => new Promise(resolve => setTimeout(resolve, ms)),
    signal: AbortSignal.timeout(60_000),
  })
}
