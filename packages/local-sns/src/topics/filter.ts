import { matchesPattern } from '@stepwright/local-eventbridge/pattern'
import type { Notification, NotificationAttribute, Subscription } from './topic.ts'

/** Whether a subscription wants a notification, by its attributes or by its body. */
export function wants(
  { filter, attributes }: Subscription,
  notification: Notification,
  text: string,
): boolean {
  if (filter === undefined) return true
  if (attributes.get('FilterPolicyScope') !== 'MessageBody') {
    const entries = Object.entries(notification.attributes)
      .filter(([, { DataType }]) => !DataType.startsWith('Binary'))
      .map(([name, value]) => [name, toValue(value)])
    return matchesPattern(filter, Object.fromEntries(entries))
  }
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && matchesPattern(filter, body)
  } catch {
    return false
  }
}

function toValue({ DataType, StringValue = '' }: NotificationAttribute): unknown {
  if (DataType === 'Number') return Number(StringValue)
  if (DataType !== 'String.Array') return StringValue
  try {
    return JSON.parse(StringValue)
  } catch {
    return StringValue
  }
}
