import type { Delivery, Mailer, Message } from '../mailer.ts'
import type { Outbox, OutboxRecipient } from '../send-outbox.ts'

export type TestRecipient = OutboxRecipient

/** An outbox whose recipients' states can be looked at. */
export function createMemoryOutbox(emails: readonly string[]): {
  outbox: Outbox<TestRecipient>
  states: () => Record<string, string>
} {
  const states = new Map(emails.toSorted().map(email => [email, 'pending']))
  const set = (list: readonly string[], state: string) => {
    for (const email of list) states.set(email, state)
  }
  const outbox: Outbox<TestRecipient> = {
    async claim(after, limit) {
      const pending = [...states].filter(([email, state]) => state === 'pending' && email > after)
      const claimed = pending.slice(0, limit).map(([email]) => ({ email }))
      set(
        claimed.map(({ email }) => email),
        'claimed',
      )
      return claimed
    },
    async record(outcomes) {
      for (const { email, ...outcome } of outcomes) set([email], Object.keys(outcome).join())
    },
    release: async list => set(list, 'pending'),
    takeTurn: async () => 0,
  }
  return { outbox, states: () => Object.fromEntries(states) }
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
