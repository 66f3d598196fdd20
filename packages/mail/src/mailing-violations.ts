import { countedStates, type SendCounts, type SendState } from './outbox.ts'

/** What is to be seen of one mailing, while it may be sent. */
export interface MailingSnapshot {
  /** How many messages each address got, as it was before the states were read. */
  readonly messagesBefore: ReadonlyMap<string, number>
  /** The states and the counts as they were at one moment. */
  readonly states: ReadonlyMap<string, SendState>
  readonly counts: SendCounts
  /** How many messages each address got, as it was after the states were read. */
  readonly messagesAfter: ReadonlyMap<string, number>
  /** How many messages an address may have got: one, and one more for each resend that chose it. */
  readonly intended: (email: string) => number
}

/**
 * The promises of an outbox that hold at every moment, whatever is paused, killed or resent; empty if all are kept.
 * Addresses are not in the sentences.
 */
export function mailingViolations(snapshot: MailingSnapshot): readonly string[] {
  const { messagesBefore, states, counts, messagesAfter, intended } = snapshot
  const found: string[] = []
  const report = (count: number, what: string): void => {
    if (count > 0) found.push(`${count} ${what}`)
  }
  for (const state of countedStates) {
    const inState = [...states.values()].filter(each => each === state).length
    if (counts[state] !== inState) {
      found.push(`${inState} recipients are ${state}, but the mailing counts ${counts[state]}`)
    }
  }
  const inState = (...wanted: SendState[]): readonly string[] =>
    [...states].flatMap(([email, state]) => (wanted.includes(state) ? [email] : []))
  const messages = (email: string): number => messagesAfter.get(email) ?? 0
  report(
    inState('pending', 'suppressed').filter(email => messagesBefore.has(email)).length,
    'recipients are pending or suppressed and got a message',
  )
  report(
    inState('sent', 'complained').filter(email => messages(email) === 0).length,
    'recipients are sent and got no message',
  )
  report(
    [...messagesAfter].filter(([email, count]) => count > intended(email)).length,
    'recipients got more messages than were intended',
  )
  report(
    [...messagesAfter.keys()].filter(email => !states.has(email)).length,
    'messages went to addresses that are no recipients',
  )
  return found
}
