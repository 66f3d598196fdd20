export interface Message {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Tells the message in the sender's events. */
  readonly campaignId: string
}

/** What became of a message. */
export type Delivery =
  | { readonly kind: 'sent'; readonly messageId: string }
  /** This recipient does not get it. */
  | { readonly kind: 'bounced'; readonly reason: string }
  /** It was certainly not taken, and may be later. */
  | { readonly kind: 'refused' }
  /** It was certainly not taken, and no other would be: the reason is the sender, the content or the account. */
  | { readonly kind: 'stopped'; readonly reason: string }
  /** Nobody can tell, so it must not be sent again. */
  | { readonly kind: 'unknown' }

/** Hands messages in. Never throws, and never tries a message twice. */
export interface Mailer {
  send(message: Message, signal: AbortSignal): Promise<Delivery>
}
