import { DatabaseConnectionError, TemporaryError, ValidationError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { type MailEvent, readMailEvents } from './mail-event.ts'
import type { Suppressions } from './suppressions.ts'

export interface RecordMailEventsOutput {
  /** How many were read, by their kind. */
  readonly events: Readonly<Record<string, number>>
  /** Addresses that nothing more is sent to from now on. */
  readonly suppressed: number
}

export interface RecordMailEventsPorts {
  readonly suppressions: Pick<Suppressions, 'add'>
  /** Hears of all events, maybe twice. */
  readonly recordEvents: (events: readonly MailEvent[]) => Promise<void>
}

/**
 * The target of SES's event destination, behind EventBridge, SNS or SQS: who complained, and whose address does not
 * exist, gets no more mail.
 */
export const recordMailEvents: Task<unknown, RecordMailEventsOutput, RecordMailEventsPorts> =
  /* @__PURE__ */ defineTask({
    name: 'record-mail-events',
    description: 'Takes in what SES tells of messages: suppresses addresses that bounce or complain.',
    idempotent: true,
    needs: {
      ports: {
        suppressions: 'The addresses that nothing more is sent to.',
        recordEvents: 'Keeps what became of the messages.',
      },
      permissions: [{ actions: ['rds-db:connect'], on: 'the database user, where it signs in by IAM' }],
    },
    input: z.unknown(),
    output: z.object({ events: z.record(z.string(), z.int()), suppressed: z.int() }),
    errors: [ValidationError, DatabaseConnectionError, TemporaryError],
    async run(event, { suppressions, recordEvents }: RecordMailEventsPorts, { metrics }) {
      const read = readMailEvents(event)
      const ends = read.flatMap(({ kind, addresses, messageId }) =>
        kind === 'bounced' || kind === 'complained'
          ? addresses.map(address => ({ address, reason: kind, source: messageId }))
          : [],
      )
      const suppressed = ends.length === 0 ? 0 : await suppressions.add(ends)
      await recordEvents(read)
      const events: Record<string, number> = {}
      for (const { kind } of read) events[kind] = (events[kind] ?? 0) + 1
      metrics.add('MailBounces', events['bounced'] ?? 0)
      metrics.add('MailComplaints', events['complained'] ?? 0)
      return { events, suppressed }
    },
  })
