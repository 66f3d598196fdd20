export interface Message {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Further header fields, such as `List-Unsubscribe`. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** Tell the message in the sender's events: letters, digits, `_` and `-`. @default none */
  readonly tags?: Readonly<Record<string, string>>
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
