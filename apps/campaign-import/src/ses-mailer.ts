import { SESv2Client, type SESv2ClientConfig, SendEmailCommand } from '@aws-sdk/client-sesv2'
import type { Delivery, Mailer, Message } from './mailer.ts'

/** The SDK's own retries are off: one after a lost answer would send the message twice. */
export function createSesMailer(config: SESv2ClientConfig = {}): Mailer {
  const client = new SESv2Client({ ...config, maxAttempts: 1 })
  return {
    async send(message, abortSignal) {
      try {
        const { MessageId = '' } = await client.send(toCommand(message), { abortSignal })
        return { kind: 'sent', messageId: MessageId }
      } catch (error) {
        return judge(error)
      }
    },
  }
}

function toCommand({ from, to, subject, html, text, campaignId }: Message): SendEmailCommand {
  const data = (Data: string) => ({ Data, Charset: 'UTF-8' })
  return new SendEmailCommand({
    FromEmailAddress: from,
    Destination: { ToAddresses: [to] },
    Content: { Simple: { Subject: data(subject), Body: { Html: data(html), Text: data(text) } } },
    EmailTags: [{ Name: 'campaign_id', Value: campaignId }],
  })
}

const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']

function judge(error: unknown): Delivery {
  const { name, message, code, $metadata } = error as Error & {
    readonly code?: string
    readonly $metadata?: { readonly httpStatusCode?: number }
  }
  if (name === 'MessageRejected' || name === 'BadRequestException') {
    return { kind: 'bounced', reason: message }
  }
  const httpStatus = $metadata?.httpStatusCode ?? 0
  if (httpStatus >= 400 && httpStatus < 500) return { kind: 'refused', error }
  return { kind: neverConnected.includes(code ?? '') ? 'refused' : 'unknown', error }
}
