import type { Pattern } from '@stepwright/local-eventbridge/pattern'

export interface Topic {
  readonly arn: string
  readonly name: string
  readonly isFifo: boolean
  readonly attributes: ReadonlyMap<string, string>
  readonly tags: ReadonlyMap<string, string>
}

export interface Subscription {
  readonly arn: string
  readonly topicArn: string
  readonly protocol: string
  readonly endpoint: string
  readonly attributes: ReadonlyMap<string, string>
  readonly filter: Pattern | undefined
}

/** What is published, once it was looked at. */
export interface Notification {
  readonly messageId: string
  readonly subject: string | undefined
  /** By protocol; `default` for those without a text of their own. */
  readonly texts: Readonly<Record<string, string>>
  readonly attributes: Readonly<Record<string, NotificationAttribute>>
  readonly groupId: string | undefined
  readonly deduplicationId: string | undefined
  readonly sequenceNumber: string | undefined
}

export interface NotificationAttribute {
  readonly DataType: string
  readonly StringValue?: string
  readonly BinaryValue?: string
}
