import { runOnce } from '@stepwright/idempotency'
import { createMemoryIdempotencyStore } from '@stepwright/idempotency/memory'

const store = createMemoryIdempotencyStore()
let count = 0

function charge(orderId: string): Promise<string> {
  return runOnce({ store, key: `charge#${orderId}`, ttlSeconds: 86_400 }, async () => {
    count += 1
    return `receipt ${count}`
  })
}

export const receipts: string[] = [await charge('A-1'), await charge('A-1'), await charge('A-2')]
// receipt 1, receipt 1, receipt 2
