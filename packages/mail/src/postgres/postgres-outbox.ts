import { anObject, assertOptions, aText, type OptionChecks, texts } from '@stepwright/errors/options'
import {
  type Columns,
  countedStates,
  type Mailing,
  maxHoldSeconds,
  type Outbox,
  type OutboxRecipient,
  type OutboxStore,
  type Send,
  type SendOutcome,
  type SendState,
  undecidedStates as undecided,
} from '../outbox.ts'
import { defaultTableName as defaultSuppressions } from './postgres-suppressions.ts'
import { type Queryable, quote } from './queryable.ts'

export interface PostgresOutboxOptions {
  readonly pool: Queryable
  /** The table of recipients, with the columns that `createOutboxMigration` adds. */
  readonly recipients: string
  /** The table of mailings, whose row counts the recipients of one. */
  readonly mailings: string
  /** What a recipient is handed out with, besides the address. @default none */
  readonly columns?: readonly string[]
  /** @default 'mail_suppressions' */
  readonly suppressions?: string
  /** One row: until when the rate is used up. @default 'mail_send_rate' */
  readonly rate?: string
}

/** What says which tables and columns there are. */
export const tableChecks: OptionChecks = {
  recipients: aText,
  mailings: aText,
  columns: texts,
  suppressions: aText,
  rate: aText,
}

interface Move {
  readonly email: string
  readonly to: SendState
  readonly messageId?: string
  readonly reason?: string
  /** Until when the sender holds it: it must not give back what another has claimed since. */
  readonly heldUntil?: string
}

/** Recipients and the mailing's counts change together, so that nobody has to count millions of rows. */
export function createPostgresOutbox<Recipient extends OutboxRecipient>(
  options: PostgresOutboxOptions,
): OutboxStore<Recipient> {
  assertOptions('createPostgresOutbox', options, { pool: anObject, ...tableChecks })
  const { pool, columns = [], ...tables } = options
  const [r, m] = [quote(tables.recipients), quote(tables.mailings)]
  const suppressions = quote(tables.suppressions ?? defaultSuppressions)
  const rate = quote(tables.rate ?? defaultRateTable)

  /** Brings recipients who are in one of the states into another. Who is in none of them is left alone. */
  async function move(mailing: Mailing, from: readonly SendState[], moves: readonly Move[]): Promise<void> {
    if (moves.length === 0) return
    const column = (name: keyof Move) => moves.map(each => each[name] ?? null)
    const values: unknown[] = [column('email'), column('to'), column('messageId'), column('reason'), from]
    values.push(column('heldUntil'))
    const [isOf, isMailing] = conditions(mailing, values)
    await pool.query(
      `with given as materialized (
        select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $6::timestamptz[])
          as g (email, state, message_id, reason, held_until)
      ), ${lockMailing(isMailing)}, found as materialized (
        select r.email, r.send_status from ${r} r join given g on g.email = r.email
        where ${isOf} and r.email = any($1::text[]) and r.send_status = any($5::text[]) and exists (select from locked)
          and (g.held_until is null or g.held_until = r.sending_until)
        order by r.email for update of r
      ), moved as (
        update ${r} r
        set send_status = g.state, message_id = coalesce(g.message_id, r.message_id), bounce_reason = g.reason
        from found join given g using (email) where ${isOf} and r.email = found.email
        returning found.send_status as was, r.send_status as is_now
      )
      ${countMoved(m, isMailing)}`,
      values,
    )
  }
  /** Everybody locks the mailing's row before the recipients', so that nobody waits in a circle. */
  const lockMailing = (isMailing: string) =>
    `locked as materialized (select from ${m} m where ${isMailing} for no key update)`

  return {
    open(send: Send): Outbox<Recipient> {
      const states = send.onlyChosen ? ['resend'] : ['pending', 'resend']
      const heldUntil = new Map<string, string>()
      return {
        // Materialized, or the inner query may be run again for each row, and find others each time. The mailing's row
        // is locked first: whoever pauses it waits for this claim, or this claim finds it paused.
        async claim(after, limit) {
          const values: unknown[] = [after, limit, states, maxHoldSeconds]
          const [isOf, isMailing] = conditions(send, values)
          const { rows } = await pool.query(
            `with gate as materialized (
              select from ${m} m where ${isMailing} and ${equals('m', send.while, values)} for no key update
            ), next as materialized (
              select r.email from ${r} r
              where ${isOf} and r.email > $1 and r.send_status = any($3::text[]) and exists (select from gate)
              order by r.email limit $2 for update of r skip locked
            ), claimed as (
              update ${r} r set send_status = 'sending', sending_until = now() + make_interval(secs => $4)
              from next where ${isOf} and r.email = next.email
              returning ${['email', ...columns].map(name => `r.${quote(name)}`).join(', ')}, r.sending_until::text
            ), counted as (
              update ${m} m set sending_count = sending_count + (select count(*) from claimed), updated_at = now()
              where ${isMailing} and exists (select from claimed)
            )
            select claimed.*, s.reason as suppressed
            from claimed left join ${suppressions} s on s.address = claimed.email`,
            values,
          )
          const found = (rows as (Recipient & { sending_until: string })[]).map(
            ({ sending_until, ...recipient }) => {
              heldUntil.set(recipient.email, sending_until)
              return recipient as unknown as Recipient
            },
          )
          return found.toSorted((a, b) => Buffer.compare(Buffer.from(a.email), Buffer.from(b.email)))
        },
        record: outcomes => move(send, undecided, outcomes.map(toMove)),
        async release(emails) {
          const to = send.onlyChosen ? 'resend' : 'pending'
          await move(
            send,
            ['sending', 'bounced'],
            emails.map(email => {
              const held = heldUntil.get(email)
              return held === undefined ? { email, to } : { email, to, heldUntil: held }
            }),
          )
        },
        async takeTurn(messages, perSecond) {
          const { rows } = await pool.query(
            `update ${rate} set used_until = greatest(used_until, now()) + make_interval(secs => $1)
             returning extract(epoch from used_until - now())::float8 - $1::float8 as wait`,
            [messages / perSecond],
          )
          const [turn] = rows as { readonly wait: number }[]
          return Math.max(0, Math.round((turn?.wait ?? 0) * 1000))
        },
      }
    },

    async chooseUnconfirmed(mailing) {
      const values: unknown[] = []
      const [isOf, isMailing] = conditions(mailing, values)
      const { rows } = await pool.query(
        `with ${lockMailing(isMailing)}, held as materialized (
          select r.email, r.send_status, r.send_status = 'sending' and r.sending_until > now() as in_flight from ${r} r
          where ${isOf} and r.send_status in ('sending', 'unconfirmed') and exists (select from locked)
          order by r.email for update
        ), moved as (
          update ${r} r set send_status = 'resend' from held
          where ${isOf} and r.email = held.email and not exists (select from held where in_flight)
          returning held.send_status as was, r.send_status as is_now
        ), counted as (${countMoved(m, isMailing)})
        select (select count(*) from moved)::int as chosen,
          (select count(*) from held where in_flight)::int as "inFlight"`,
        values,
      )
      return rows[0] as { chosen: number; inFlight: number }
    },

    async forgetChosen(mailing) {
      const values: unknown[] = []
      const [isOf, isMailing] = conditions(mailing, values)
      await pool.query(
        `with ${lockMailing(isMailing)}, moved as (
          update ${r} r set send_status = 'unconfirmed'
          where ${isOf} and r.send_status = 'resend' and exists (select from locked)
          returning 'resend' as was, r.send_status as is_now
        ) ${countMoved(m, isMailing)}`,
        values,
      )
    },

    async recordEvents(events) {
      for (const { kind, addresses, messageId, reason, mailing } of events) {
        if (kind === 'undelivered') continue
        const to = kind === 'delivered' ? 'sent' : kind
        const moves = addresses.map((email): Move => ({ email, to, messageId, reason }))
        await move(mailing, to === 'sent' ? undecided : [...undecided, 'sent'], moves)
      }
    },
  }
}

export const defaultRateTable = 'mail_send_rate'

function toMove({ email, ...outcome }: SendOutcome): Move {
  if ('sent' in outcome) return { email, to: 'sent', messageId: outcome.sent }
  if ('bounced' in outcome) return { email, to: 'bounced', reason: outcome.bounced }
  if ('suppressed' in outcome) return { email, to: 'suppressed', reason: outcome.suppressed }
  return { email, to: 'unconfirmed' }
}

/** Adds what `moved` changed to the counts of the mailing. */
function countMoved(mailings: string, isMailing: string): string {
  const counts = countedStates.map(state => {
    const change = `count(*) filter (where is_now = '${state}') - count(*) filter (where was = '${state}')`
    return `${state}_count = m.${state}_count + (select ${change} from moved)`
  })
  return `update ${mailings} m set updated_at = now(), ${counts.join(', ')}
    where ${isMailing} and exists (select from moved)`
}

function conditions({ recipients, mailing }: Mailing, values: unknown[]): readonly [string, string] {
  return [equals('r', recipients, values), equals('m', mailing, values)]
}

/** `r."campaign_id" = $3 and …`; the values are added to those of the statement. */
function equals(alias: string, columns: Columns, values: unknown[]): string {
  return Object.entries(columns)
    .map(([name, value]) => `${alias}.${quote(name)} = $${values.push(value)}`)
    .join(' and ')
}
