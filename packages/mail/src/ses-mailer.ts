import { SESv2Client, type SESv2ClientConfig, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { DataValidationError, isTaskError } from '@stepwright/errors'
import { anObject, assertOptions, aText } from '@stepwright/errors/options'
import { createMessage } from './create-message.ts'
import type { Delivery, Mailer, Message } from './mailer.ts'

export interface SesMailerOptions {
  /** Of the SDK's `SESv2Client`: region, endpoint, credentials. @default the environment's */
  readonly config?: SESv2ClientConfig
  /** Whose event destinations hear what becomes of the messages. @default the identity's own, or none */
  readonly configurationSet?: string | undefined
}

/** The SDK's own retries are off: one after a lost answer would send the message twice. */
export function createSesMailer(options: SesMailerOptions = {}): Mailer {
  assertOptions('createSesMailer', options, { config: anObject, configurationSet: aText })
  const { config, configurationSet } = options
  // A call that hangs is given up before the recipient counts as lost with its sender.
  const requestHandler = { connectionTimeout: 3000, requestTimeout: 10_000, throwOnRequestTimeout: true }
  const client = new SESv2Client({ requestHandler, ...config, maxAttempts: 1 })
  return {
    async send(message, abortSignal) {
      try {
        const { MessageId = '' } = await client.send(toCommand(createMessage(message), configurationSet), {
          abortSignal,
        })
        return { kind: 'sent', messageId: MessageId }
      } catch (error) {
        return judge(error)
      }
    },
  }
}

function toCommand(
  { from, to, subject, html, text, headers = {}, tags = {} }: Message,
  configurationSet: string | undefined,
): SendEmailCommand {
  const data = (Data: string) => ({ Data, Charset: 'UTF-8' })
  return new SendEmailCommand({
    FromEmailAddress: from,
    Destination: { ToAddresses: [to] },
    Content: {
      Simple: {
        Subject: data(subject),
        Body: { Html: data(html), Text: data(text) },
        Headers: toPairs(headers),
      },
    },
    EmailTags: toPairs(tags),
    ConfigurationSetName: configurationSet,
  })
}

function toPairs(record: Readonly<Record<string, string>>): { Name: string; Value: string }[] {
  return Object.entries(record).map(([Name, Value]) => ({ Name, Value }))
}

const neverConnected = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']
/** An account, an identity or a configuration set: nothing that another recipient would change. */
const concernsAll =
  /^(AccountSuspended|SendingPaused|MailFromDomainNotVerified|NotFound|AccessDenied|InvalidClientTokenId)/
/** Without credentials nothing was sent. */
const passing =
  /^(CredentialsProviderError|TooManyRequests|LimitExceeded|Throttling|ExpiredToken|RequestTimeout)/

function judge(error: unknown): Delivery {
  if (isTaskError(error, DataValidationError)) {
    return { kind: error.details?.['field'] === 'to' ? 'bounced' : 'stopped', reason: error.message }
  }
  const { name, message, code, $metadata } = error as Error & {
    readonly code?: string
    readonly $metadata?: { readonly httpStatusCode?: number }
  }
  const httpStatus = $metadata?.httpStatusCode ?? 0
  if (neverConnected.includes(code ?? '') || passing.test(name) || httpStatus === 429) {
    return { kind: 'refused' }
  }
  // "Email address is not verified": of the sender, or in the sandbox of everybody.
  if (concernsAll.test(name) || httpStatus === 403 || /not verified/i.test(message)) {
    return { kind: 'stopped', reason: `${name}: ${message}` }
  }
  if (httpStatus >= 400 && httpStatus < 500) return { kind: 'bounced', reason: message }
  return { kind: 'unknown' }
}
