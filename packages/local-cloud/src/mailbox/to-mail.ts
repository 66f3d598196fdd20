import { Refusal } from '../refusal.ts'
import { assertAddress } from './address.ts'
import { badRequest } from './bad-request.ts'
import { decodeWords, mimeHeaders, splitAddresses } from './mime-headers.ts'
import { type MailTemplate, renderTemplate } from './template.ts'

/** A message as it was handed in, its template filled in. */
export interface Mail {
  readonly messageId: string
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly replyTo: readonly string[]
  readonly subject: string
  readonly text: string | undefined
  readonly html: string | undefined
  /** The whole message in MIME, where it was handed in so; then `text` and `html` are within it. */
  readonly raw: string | undefined
  readonly tags: Readonly<Record<string, string>>
  /** Those that were given besides sender, recipients and subject, names as they were given. */
  readonly headers: Readonly<Record<string, string>>
  readonly configurationSet: string | undefined
}

/** The part of SES's SendEmail that the mailbox reads. */
export interface SendEmail {
  readonly FromEmailAddress?: string
  readonly Destination?: {
    readonly ToAddresses?: readonly string[]
    readonly CcAddresses?: readonly string[]
    readonly BccAddresses?: readonly string[]
  }
  readonly ReplyToAddresses?: readonly string[]
  readonly Content?: {
    readonly Simple?: {
      readonly Subject?: Data
      readonly Body?: { readonly Text?: Data; readonly Html?: Data }
      readonly Headers?: readonly Pair[]
    }
    readonly Raw?: Data
    readonly Template?: {
      readonly TemplateName?: string
      readonly TemplateContent?: { readonly Subject?: string; readonly Text?: string; readonly Html?: string }
      readonly TemplateData?: string
      readonly Headers?: readonly Pair[]
    }
  }
  readonly EmailTags?: readonly Pair[]
  readonly ConfigurationSetName?: string
}
interface Pair {
  readonly Name: string
  readonly Value: string
}
interface Data {
  readonly Data?: string
}

export type MailTemplates = Readonly<Record<string, MailTemplate>>

type Envelope = Omit<Mail, 'messageId' | 'tags' | 'headers' | 'configurationSet'>

const maxRecipients = 50

/** Throws a refusal for what SES would not take. */
export function toMail(request: SendEmail, messageId: string, templates: MailTemplates): Mail {
  refuseIgnored(request)
  const envelope = toEnvelope(request, templates)
  const recipients = [...envelope.to, ...envelope.cc, ...envelope.bcc]
  if (envelope.from === '') throw badRequest('Missing required header: From.')
  if (recipients.length === 0) throw badRequest('A message needs a recipient.')
  if (recipients.length > maxRecipients) throw badRequest(`Recipient count exceeds ${maxRecipients}.`)
  for (const address of [envelope.from, ...recipients, ...envelope.replyTo]) assertAddress(address)
  const { Simple, Template } = request.Content ?? {}
  return {
    messageId,
    ...envelope,
    tags: toRecord(request.EmailTags),
    headers: toRecord(Simple?.Headers ?? Template?.Headers),
    configurationSet: request.ConfigurationSetName,
  }
}

/** What is read of a request; what else SES knows, such as attachments and lists, is refused. */
const supported = {
  SendEmail: [
    ...['FromEmailAddress', 'Destination', 'ReplyToAddresses', 'Content', 'EmailTags'],
    'ConfigurationSetName',
  ],
  Destination: ['ToAddresses', 'CcAddresses', 'BccAddresses'],
  Content: ['Simple', 'Raw', 'Template'],
  Simple: ['Subject', 'Body', 'Headers'],
  Template: ['TemplateName', 'TemplateContent', 'TemplateData', 'Headers'],
}

function refuseIgnored(request: SendEmail): void {
  const { Destination, Content } = request
  const parts = { SendEmail: request, Destination, Content, ...Content }
  for (const [part, known] of Object.entries(supported)) {
    const given = (parts as Readonly<Record<string, object | undefined>>)[part] ?? {}
    const ignored = Object.entries(given).find(([name, value]) => value != null && !known.includes(name))
    if (ignored) throw badRequest(`${ignored[0]} of ${part} is not supported on this machine.`)
  }
}

function toRecord(pairs: readonly Pair[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(({ Name, Value }) => [Name, Value]))
}

function toEnvelope(request: SendEmail, templates: MailTemplates): Envelope {
  const { Simple, Raw, Template } = request.Content ?? {}
  const { ToAddresses = [], CcAddresses = [], BccAddresses = [] } = request.Destination ?? {}
  const given = {
    from: request.FromEmailAddress ?? '',
    to: ToAddresses,
    cc: CcAddresses,
    bcc: BccAddresses,
    replyTo: request.ReplyToAddresses ?? [],
    raw: undefined,
  }
  if (Raw?.Data !== undefined) return ofRaw(given, Buffer.from(Raw.Data, 'base64').toString())
  if (Template !== undefined) {
    const { subject, text, html } = renderTemplate(templateOf(Template, templates), Template.TemplateData)
    return { ...given, subject, text, html }
  }
  if (Simple?.Subject?.Data === undefined) throw badRequest('A message needs a subject.')
  const { Text, Html } = Simple.Body ?? {}
  return { ...given, subject: Simple.Subject.Data, text: Text?.Data, html: Html?.Data }
}

// What the request says of sender and recipients outweighs the message itself.
function ofRaw(given: Omit<Envelope, 'subject' | 'text' | 'html'>, raw: string): Envelope {
  const headers = mimeHeaders(raw)
  const named = given.to.length + given.cc.length + given.bcc.length > 0
  return {
    from: given.from || decodeWords(headers['from'] ?? ''),
    to: named ? given.to : splitAddresses(headers['to']),
    cc: named ? given.cc : splitAddresses(headers['cc']),
    bcc: named ? given.bcc : splitAddresses(headers['bcc']),
    replyTo: given.replyTo.length > 0 ? given.replyTo : splitAddresses(headers['reply-to']),
    subject: decodeWords(headers['subject'] ?? ''),
    text: undefined,
    html: undefined,
    raw,
  }
}

function templateOf(
  { TemplateName, TemplateContent }: NonNullable<NonNullable<SendEmail['Content']>['Template']>,
  templates: MailTemplates,
): MailTemplate {
  if (TemplateContent !== undefined) {
    const { Subject = '', Text, Html } = TemplateContent
    return { subject: Subject, text: Text, html: Html }
  }
  const template = templates[TemplateName ?? '']
  if (template === undefined) {
    throw new Refusal(404, 'NotFoundException', `Template ${TemplateName} does not exist.`)
  }
  return template
}
