import { type IdempotencyStore, idempotent } from '@stepwright/idempotency'
import { createMemoryIdempotencyStore } from '@stepwright/idempotency/memory'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'

const order = z.object({ orderId: z.string(), amount: z.number() })

interface Ports {
  readonly idempotency: IdempotencyStore
  readonly bank: { charge(amount: number): Promise<string> }
}

const charge = defineTask({
  name: 'charge',
  input: order,
  output: z.object({ receipt: z.string() }),
  errors: [],
  async run({ amount }, { bank }: Ports) {
    return { receipt: await bank.charge(amount) }
  },
  use: _task => [
    idempotent({
      key: input => input.orderId,
      store: ports => ports.idempotency,
      ttlSeconds: 86_400,
    }),
  ],
})

let charges = 0
const ports: Ports = {
  idempotency: createMemoryIdempotencyStore(),
  bank: { charge: async amount => `${amount} paid, receipt ${++charges}` },
}
export const first: { receipt: string } = await charge.run({ orderId: 'A-1001', amount: 4980 }, ports)
export const again: { receipt: string } = await charge.run({ orderId: 'A-1001', amount: 4980 }, ports)
// both: { receipt: '4980 paid, receipt 1' }
