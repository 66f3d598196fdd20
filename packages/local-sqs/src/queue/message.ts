/** A message as a queue keeps it. */
export interface Message {
  readonly id: string
  readonly body: string
  readonly attributes: MessageAttributes
  readonly traceHeader?: string
  readonly sentMs: number
  /** FIFO. On a standard queue only what consumers see. */
  readonly groupId?: string
  readonly deduplicationId?: string
  readonly sequenceNumber?: string
  /** Where it was sent to, of a message that ended here because it could not be processed. */
  readonly deadLetterOf?: string
  readonly delivery: Delivery
}

/** What deliveries change of a message. */
export interface Delivery {
  /** When it can be received: later than now while it is delayed, or somebody works on it. */
  readonly visibleMs: number
  readonly receives: number
  readonly firstReceivedMs?: number
}

export type MessageAttributes = Readonly<Record<string, MessageAttribute>>

export interface MessageAttribute {
  readonly DataType: string
  readonly StringValue?: string
  /** Base64, as it travels. */
  readonly BinaryValue?: string
}

/** Somebody works on it, until it becomes visible again. */
export function isInFlight({ delivery }: Message, nowMs: number): boolean {
  return delivery.receives > 0 && delivery.visibleMs > nowMs
}

export function isDelayed({ delivery }: Message, nowMs: number): boolean {
  return delivery.receives === 0 && delivery.visibleMs > nowMs
}
