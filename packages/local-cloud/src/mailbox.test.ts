import { SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2'
import { afterEach, describe, expect, it } from 'vitest'
import { type Mailbox, type MailboxOptions, startMailbox } from './mailbox.ts'

let mailbox: Mailbox
let client: SESv2Client
afterEach(async () => {
  client.destroy()
  await mailbox.stop()
})

async function start(options?: MailboxOptions) {
  mailbox = await startMailbox(options)
  client = new SESv2Client({
    endpoint: mailbox.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local-secret' },
    maxAttempts: 1,
  })
  return (to: string, input: Partial<SendEmailCommandInput> = {}) =>
    client.send(
      new SendEmailCommand({
        FromEmailAddress: 'shop@example.com',
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: { Data: '件名' }, Body: { Text: { Data: 'こんにちは' } } } },
        EmailTags: [{ Name: 'campaign', Value: '7' }],
        ...input,
      }),
    )
}

describe('startMailbox', () => {
  it('keeps what the SDK sends', async () => {
    const send = await start()
    const { MessageId } = await send('ann@example.com')
    expect(mailbox.messages).toEqual([
      {
        messageId: MessageId,
        from: 'shop@example.com',
        to: ['ann@example.com'],
        subject: '件名',
        text: 'こんにちは',
        html: undefined,
        tags: { campaign: '7' },
      },
    ])
    mailbox.clear()
    expect(mailbox.messages).toEqual([])
  })

  it('refuses addresses as SES does', async () => {
    const send = await start({
      reject: address => (address.startsWith('bad') ? 'Address is suppressed.' : undefined),
    })
    await expect(send('bad@example.com')).rejects.toMatchObject({
      name: 'MessageRejected',
      message: 'Address is suppressed.',
    })
    await send('good@example.com')
    expect(mailbox.messages).toHaveLength(1)
  })

  it('throttles above the rate, second by second', async () => {
    let time = 1_000
    const send = await start({ maxSendRate: 2, now: () => time })
    await send('a@example.com')
    await send('b@example.com')
    await expect(send('c@example.com')).rejects.toMatchObject({ name: 'TooManyRequestsException' })
    time += 1_000
    await send('c@example.com')
    expect(mailbox.messages).toHaveLength(3)
  })

  it('refuses a message without a recipient', async () => {
    const send = await start()
    await expect(send('', { Destination: {} })).rejects.toMatchObject({ name: 'BadRequestException' })
  })
})
