import type { Delivery, Mailer, Message } from '../mailer.ts'
import { createMemoryOutbox as createStore } from '../memory.ts'
import type { Outbox, OutboxRecipient, SendState } from '../outbox.ts'

export type TestRecipient = OutboxRecipient

/** An outbox whose recipients' states can be looked at. */
export function createMemoryOutbox(emails: readonly string[]): {
  outbox: Outbox<TestRecipient>
  states: () => Readonly<Record<string, SendState>>
} {
  const recipients = emails.map(email => ({ email }))
  const store = createStore<TestRecipient>({ recipientsOf: () => recipients, isOpen: () => true })
  const send = { recipients: {}, mailing: {}, while: {} }
  return { outbox: store.open(send), states: () => store.statesOf(send) }
}

/** Takes every message, but for those with an answer prepared. */
export function createMemoryMailer(answers: Readonly<Record<string, Delivery[]>> = {}): {
  mailer: Mailer
  messages: readonly Message[]
} {
  const messages: Message[] = []
  const mailer: Mailer = {
    async send(message) {
      const answer = answers[message.to]?.shift()
      if (answer) return answer
      messages.push(message)
      return { kind: 'sent', messageId: `m-${messages.length}` }
    },
  }
  return { mailer, messages }
}
