import { startMailbox } from '@stepwright/local-cloud/mailbox'
import { createSesMailer } from '@stepwright/mail/ses'

await using mailbox = await startMailbox()
const mailer = createSesMailer({
  config: {
    endpoint: mailbox.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  },
})
await mailer.send(
  { from: 'news@example.com', to: 'ann@example.com', subject: 'Hello', html: '<p>Hi</p>', text: 'Hi' },
  AbortSignal.timeout(5000),
)
export const sent: readonly string[] = mailbox.messages.map(({ subject }) => subject)
