import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb'

const persistenceStore = new DynamoDBPersistenceLayer({ tableName: 'idempotency' })
const config = new IdempotencyConfig({ eventKeyJmesPath: 'orderId', expiresAfterSeconds: 3600 })

async function charge(order: { orderId: string; amount: number }) {
  return { receipt: `receipt for ${order.orderId}` }
}

export const handler = makeIdempotent(charge, { persistenceStore, config })
