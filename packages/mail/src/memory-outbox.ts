import { aFunction, anObject, assertOptions } from '@stepwright/errors/options'
import {
  countedStates,
  type Mailing,
  maxHoldSeconds,
  type Outbox,
  type OutboxRecipient,
  type OutboxStore,
  type Send,
  type SendCounts,
  type SendState,
  undecidedStates as undecided,
} from './outbox.ts'
import type { Suppressions } from './suppressions.ts'

export interface MemoryOutboxOptions<Recipient extends OutboxRecipient> {
  /** The recipients of a mailing, the same objects each time. */
  readonly recipientsOf: (mailing: Mailing) => readonly Omit<Recipient, 'suppressed'>[]
  /** Whether the send was neither paused nor replaced. */
  readonly isOpen: (send: Send) => boolean
  /** Called after each change. @default nothing is called */
  readonly onChange?: (mailing: Mailing, counts: SendCounts) => void
  /** @default nobody is suppressed */
  readonly suppressions?: Pick<Suppressions, 'find'>
  /** Milliseconds. @default Date.now */
  readonly now?: () => number
}

export interface MemoryOutbox<Recipient extends OutboxRecipient> extends OutboxStore<Recipient> {
  /** The state of each recipient, by address. */
  statesOf(mailing: Mailing): Readonly<Record<string, SendState>>
}

export function createMemoryOutbox<Recipient extends OutboxRecipient>(
  options: MemoryOutboxOptions<Recipient>,
): MemoryOutbox<Recipient> {
  assertOptions('createMemoryOutbox', options, {
    recipientsOf: aFunction,
    isOpen: aFunction,
    onChange: aFunction,
    suppressions: anObject,
    now: aFunction,
  })
  const { recipientsOf, isOpen, onChange = () => {}, suppressions, now = Date.now } = options
  const states = new WeakMap<object, { readonly state: SendState; readonly untilMs: number }>()
  const stateOf = (recipient: object): SendState => states.get(recipient)?.state ?? 'pending'
  const move = (
    mailing: Mailing,
    from: readonly SendState[],
    to: (email: string) => SendState | undefined,
  ) => {
    const found = recipientsOf(mailing).filter(each => from.includes(stateOf(each)))
    let moved = 0
    for (const each of found) {
      const state = to(each.email)
      if (state === undefined) continue
      states.set(each, { state, untilMs: states.get(each)?.untilMs ?? 0 })
      moved += 1
    }
    tell(mailing)
    return moved
  }
  const tell = (mailing: Mailing): void => {
    const all = recipientsOf(mailing).map(stateOf)
    const counts = countedStates.map(state => [state, all.filter(each => each === state).length])
    onChange(mailing, Object.fromEntries(counts) as SendCounts)
  }

  return {
    statesOf: mailing => Object.fromEntries(recipientsOf(mailing).map(each => [each.email, stateOf(each)])),
    open(send): Outbox<Recipient> {
      const wanted: readonly SendState[] = send.onlyChosen ? ['resend'] : ['pending', 'resend']
      const heldUntil = new Map<string, number>()
      return {
        async claim(after, limit) {
          if (!isOpen(send)) return []
          const next = recipientsOf(send)
            .filter(each => each.email > after && wanted.includes(stateOf(each)))
            .toSorted((a, b) => (a.email < b.email ? -1 : 1))
            .slice(0, limit)
          const untilMs = now() + maxHoldSeconds * 1000
          for (const each of next) {
            states.set(each, { state: 'sending', untilMs })
            heldUntil.set(each.email, untilMs)
          }
          tell(send)
          const found = await suppressions?.find(next.map(({ email }) => email))
          return next.map(
            each => ({ ...each, suppressed: found?.get(each.email) ?? null }) as unknown as Recipient,
          )
        },
        async record(outcomes) {
          const to = new Map(
            outcomes.map(({ email, ...outcome }) => [email, Object.keys(outcome)[0] as SendState]),
          )
          move(send, undecided, email => to.get(email))
        },
        async release(emails) {
          const to = send.onlyChosen ? 'resend' : 'pending'
          const isHeld = (email: string): boolean => {
            const row = recipientsOf(send).find(each => each.email === email)
            const held = heldUntil.get(email)
            return held === undefined || (row !== undefined && states.get(row)?.untilMs === held)
          }
          const given = emails.filter(isHeld)
          move(send, ['sending', 'bounced'], email => (given.includes(email) ? to : undefined))
        },
        takeTurn: async () => 0,
      }
    },
    async chooseUnconfirmed(mailing) {
      const held = recipientsOf(mailing).map(each => states.get(each))
      const inFlight = held.filter(each => each?.state === 'sending' && each.untilMs > now()).length
      const chosen = inFlight > 0 ? 0 : move(mailing, ['sending', 'unconfirmed'], () => 'resend')
      return { chosen, inFlight }
    },
    async forgetChosen(mailing) {
      move(mailing, ['resend'], () => 'unconfirmed')
    },
    async recordEvents(events) {
      for (const { kind, addresses, mailing } of events) {
        if (kind === 'undelivered') continue
        const to = kind === 'delivered' ? 'sent' : kind
        const from: readonly SendState[] = to === 'sent' ? undecided : [...undecided, 'sent']
        move(mailing, from, email => (addresses.includes(email) ? to : undefined))
      }
    },
  }
}
