export {
  formatSender,
  parseEmailAddress,
  parseSender,
  type Sender,
  writeSender,
} from './email-address.ts'
export { escapeHtml, fillPlaceholders, toOneLine } from './fill-placeholders.ts'
export { type MailEvent, readMailEvents } from './mail-event.ts'
export type { Delivery, Mailer, Message } from './mailer.ts'
export {
  type Mailing,
  maxHoldSeconds,
  type Outbox,
  type OutboxRecipient,
  type OutboxStore,
  type Send,
  type SendCounts,
  type SendOutcome,
  type SendState,
} from './outbox.ts'
export { type SendOutboxOptions, type SendProgress, sendOutbox } from './send-outbox.ts'
export type { Suppression, SuppressionReason, Suppressions } from './suppressions.ts'
export {
  createUnsubscribeTokens,
  type UnsubscribeClaim,
  type UnsubscribeTokens,
  unsubscribeHeaders,
} from './unsubscribe-tokens.ts'
