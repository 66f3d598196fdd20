export interface Message {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Tells the message in the sender's events. */
  readonly campaignId: string
}

/**
 * What became of a message. `refused`: it was certainly not taken, and may be later. `unknown`: nobody can tell,
 * so it must not be sent again.
 */
export type Delivery =
  | { readonly kind: 'sent'; readonly messageId: string }
  | { readonly kind: 'bounced'; readonly reason: string }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'unknown'; readonly error: unknown }

/** Hands messages in. Never throws, and never tries a message twice. */
export interface Mailer {
  send(message: Message, signal: AbortSignal): Promise<Delivery>
}
