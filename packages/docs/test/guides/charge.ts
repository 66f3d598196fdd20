import { defineBusinessError, TemporaryError } from '@stepwright/errors'
import { type IdempotencyStore, idempotent } from '@stepwright/idempotency'
import { defineTask } from '@stepwright/task'
import * as z from 'zod'

export class CardDeclined extends defineBusinessError('CardDeclined') {}

export interface Ports {
  readonly idempotency: IdempotencyStore
  readonly bank: { charge(orderId: string, amount: number): Promise<string> }
}

export const charge = defineTask({
  name: 'charge',
  idempotent: true, // a second run does no harm: Lambda's own deaths are retried, too
  input: z.object({ orderId: z.string(), amount: z.number() }),
  output: z.object({ receipt: z.string() }),
  errors: [CardDeclined, TemporaryError],
  async run({ orderId, amount }, { bank }: Ports) {
    return { receipt: await bank.charge(orderId, amount) }
  },
  use: _task => [idempotent({ key: input => input.orderId, store: ports => ports.idempotency })],
})
