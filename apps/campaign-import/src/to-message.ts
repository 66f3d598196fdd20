import {
  escapeHtml,
  fillPlaceholders,
  formatSender,
  type Message,
  toOneLine,
  type UnsubscribeTokens,
  unsubscribeHeaders,
} from '@stepwright/mail'
import type { Recipient } from './campaign.ts'
import type { Campaign } from './campaigns.ts'

/** The campaign as one recipient gets it: `{name}`, `{email}`, `{unsubscribe_url}` and the CSV's columns filled in. */
export function toMessage(
  campaign: Campaign,
  { email, name, fields }: Recipient,
  { tokens, publicUrl }: { readonly tokens: UnsubscribeTokens; readonly publicUrl: string },
): Message {
  const { campaign_id, import_revision, subject, body_html, body_text } = campaign
  const token = tokens.seal({ address: email, source: campaign_id })
  const unsubscribe_url = `${publicUrl}/unsubscribe?token=${token}`
  const values = { ...fields, name: name ?? '', email, unsubscribe_url }
  const each = (change: (text: string) => string) =>
    Object.fromEntries(Object.entries(values).map(([title, value]) => [title, change(value)]))
  return {
    from: formatSender(campaign),
    to: email,
    subject: fillPlaceholders(subject, each(toOneLine)),
    html: fillPlaceholders(body_html, each(escapeHtml)),
    text: fillPlaceholders(body_text, values),
    headers: unsubscribeHeaders(unsubscribe_url),
    tags: { campaign_id, revision: String(import_revision) },
  }
}
