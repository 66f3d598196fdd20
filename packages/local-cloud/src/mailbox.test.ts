import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Mailbox, type MailboxEvent, type MailboxOptions, startMailbox } from './mailbox.ts'

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

function inSimulator(name: string): string {
  return `${name}@simulator.amazonses.com`
}

describe('startMailbox', () => {
  it('keeps what the SDK sends', async () => {
    const told: string[] = []
    const send = await start({ onMail: ({ messageId }) => told.push(messageId) })
    const { MessageId } = await send('ann@example.com')
    expect(told).toEqual([MessageId])
    expect(mailbox.messages).toEqual([
      {
        messageId: MessageId,
        from: 'shop@example.com',
        to: ['ann@example.com'],
        cc: [],
        bcc: [],
        replyTo: [],
        subject: '件名',
        text: 'こんにちは',
        html: undefined,
        raw: undefined,
        tags: { campaign: '7' },
        headers: {},
        configurationSet: undefined,
      },
    ])
    mailbox.clear()
    expect(mailbox.messages).toEqual([])
  })

  it('keeps headers and the configuration set', async () => {
    const send = await start()
    const Headers = [{ Name: 'List-Unsubscribe', Value: '<https://example.com/u>' }]
    const Simple = { Subject: { Data: 's' }, Body: { Text: { Data: 't' } }, Headers }
    await send('ann@example.com', { Content: { Simple }, ConfigurationSetName: 'campaigns' })
    expect(mailbox.messages).toMatchObject([
      { headers: { 'List-Unsubscribe': '<https://example.com/u>' }, configurationSet: 'campaigns' },
    ])
  })

  it('tells what becomes of messages that name a configuration set', async () => {
    const told: MailboxEvent[] = []
    const send = await start({ now: () => 0 })
    mailbox.onEvent(event => told.push(event))
    const ConfigurationSetName = 'campaigns'
    await send('ann@example.com')
    expect(told).toEqual([])
    for (const to of ['Ann <ann@example.com>', ...['bounce', 'complaint', 'ooto'].map(inSimulator)]) {
      await send(to, { ConfigurationSetName })
    }
    expect(told.map(event => event['detail-type'])).toEqual([
      'Email Delivered',
      'Email Bounced',
      'Email Delivered',
      'Email Complaint Received',
      'Email Delivered',
      'Email Bounced',
    ])
    const mail = { messageId: mailbox.messages[1]?.messageId, tags: { campaign: ['7'] } }
    expect(told[0]).toMatchObject({
      source: 'aws.ses',
      detail: { eventType: 'Delivery', mail, delivery: { recipients: ['ann@example.com'] } },
    })
  })

  it('has every message that it answered after a restart, and nothing of one cut off by a kill', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'stepwright-mailbox-'))
    onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
    const first = await start({ dataDirectory })
    await first('ann@example.com')
    const kept = [...mailbox.messages]
    await mailbox.stop()
    client.destroy()
    await appendFile(join(dataDirectory, 'messages.jsonl'), '{"messageId":"half')
    const second = await start({ dataDirectory })
    expect(mailbox.messages).toEqual(kept)
    await second('bob@example.com')
    await mailbox.stop()
    client.destroy()
    await start({ dataDirectory })
    expect(mailbox.messages.map(({ to }) => to)).toEqual([['ann@example.com'], ['bob@example.com']])
    mailbox.clear()
    await mailbox.stop()
    client.destroy()
    await start({ dataDirectory })
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

  it('keeps copies, blind copies and where to reply', async () => {
    const send = await start()
    await send('', {
      Destination: { CcAddresses: ['Ann <ann@example.com>'], BccAddresses: ['"B, Bob" <bob@example.com>'] },
      ReplyToAddresses: ['help@example.com'],
    })
    expect(mailbox.messages).toMatchObject([
      {
        to: [],
        cc: ['Ann <ann@example.com>'],
        bcc: ['"B, Bob" <bob@example.com>'],
        replyTo: ['help@example.com'],
      },
    ])
  })

  it('reads who and what from a raw message', async () => {
    const send = await start()
    const message = [
      'From: =?UTF-8?B?5bqX?= <shop@example.com>',
      'To: "B, Bob" <bob@example.com>,',
      '\tann@example.com',
      'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe_?=',
      ' =?UTF-8?B?5Lu25ZCN?=',
      '',
      'Subject: not this',
    ].join('\r\n')
    const fields = { Content: { Raw: { Data: Buffer.from(message) } } }
    await send('', { ...fields, FromEmailAddress: undefined, Destination: undefined })
    expect(mailbox.messages).toMatchObject([
      {
        from: '店 <shop@example.com>',
        to: ['"B, Bob" <bob@example.com>', 'ann@example.com'],
        subject: 'Grüße 件名',
        raw: message,
      },
    ])
    await send('other@example.com', fields)
    expect(mailbox.messages[1]).toMatchObject({ from: 'shop@example.com', to: ['other@example.com'] })
  })

  it('fills templates in', async () => {
    const templates = {
      welcome: { subject: 'Hi {{name}}', text: '{{ shop.name }}', html: '<b>{{name}}</b>' },
    }
    const send = await start({ templates })
    const TemplateData = JSON.stringify({ name: 'Ann', shop: { name: 'Shop' } })
    await send('ann@example.com', { Content: { Template: { TemplateName: 'welcome', TemplateData } } })
    const TemplateContent = { Subject: 'Inline {{name}}', Text: 'x' }
    await send('ann@example.com', { Content: { Template: { TemplateContent, TemplateData } } })
    expect(mailbox.messages).toMatchObject([
      { subject: 'Hi Ann', text: 'Shop', html: '<b>Ann</b>' },
      { subject: 'Inline Ann', text: 'x', html: undefined },
    ])
    const broken = (Template: object) => send('ann@example.com', { Content: { Template } })
    await expect(broken({ TemplateName: 'other' })).rejects.toMatchObject({ name: 'NotFoundException' })
    await expect(broken({ TemplateName: 'welcome', TemplateData: '{}' })).rejects.toThrow(
      "Attribute 'name' is not present in the rendering data.",
    )
    await expect(broken({ TemplateName: 'welcome', TemplateData: '{' })).rejects.toThrow('not valid JSON')
    await expect(broken({ TemplateContent: { Subject: '{{#if a}}x{{/if}}' } })).rejects.toThrow('only names')
  })

  it.each([
    ['ann', "Missing final '@domain'"],
    ['@example.com', 'Missing local name'],
    ['ann@', 'Missing domain'],
    ['an n@example.com', 'Local address contains control or whitespace'],
    ['a,b@example.com', 'Local address contains illegal character'],
    ['änn@example.com', 'Local address contains illegal character'],
    ['ann@exa_mple.com', 'Domain contains illegal character'],
    ['ann@.example.com', 'Domain starts with dot'],
    ['ann@example..com', 'Domain contains dot-dot'],
    ['Ann <ann@example.com.>', 'Domain ends with dot'],
  ])('refuses the address %j as SES does', async (address, message) => {
    const send = await start()
    const refused = { name: 'BadRequestException', message }
    await expect(send(address)).rejects.toMatchObject(refused)
    await expect(send('ann@example.com', { Destination: { BccAddresses: [address] } })).rejects.toMatchObject(
      refused,
    )
    await expect(send('ann@example.com', { ReplyToAddresses: [address] })).rejects.toMatchObject(refused)
    expect(mailbox.messages).toEqual([])
  })

  it.each<[object, string]>([
    [{ ListManagementOptions: { ContactListName: 'news' } }, 'ListManagementOptions of SendEmail'],
    [{ FeedbackForwardingEmailAddress: 'ann@example.com' }, 'FeedbackForwardingEmailAddress of SendEmail'],
    [
      { Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } }, Attachments: [] } } },
      'Attachments of Simple',
    ],
  ])('refuses %j, which it would ignore', async (more, what) => {
    const send = await start()
    await expect(send('ann@example.com', more)).rejects.toMatchObject({
      name: 'BadRequestException',
      message: `${what} is not supported on this machine.`,
    })
  })

  it('refuses more than 50 recipients', async () => {
    const send = await start()
    const ToAddresses = Array.from({ length: 51 }, (_, index) => `a${index}@example.com`)
    await expect(send('', { Destination: { ToAddresses } })).rejects.toThrow('Recipient count exceeds 50.')
  })

  it('refuses a message without a recipient', async () => {
    const send = await start()
    await expect(send('', { Destination: {} })).rejects.toMatchObject({ name: 'BadRequestException' })
  })
})
