import { payloadKey } from '@stepwright/idempotency'

const order = { orderId: 'A-1001', amount: 4980 }
export const byPayload = payloadKey(order, { namespace: 'charge' }) // charge#9c6f…: the same for any order of members
export const byOrder = payloadKey(order, { namespace: 'charge', select: ({ orderId }) => orderId })
