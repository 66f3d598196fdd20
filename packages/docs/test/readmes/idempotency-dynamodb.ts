import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createDynamoDbIdempotencyStore } from '@stepwright/idempotency/dynamodb'

const store = createDynamoDbIdempotencyStore({ client: new DynamoDBClient(), tableName: 'idempotency' })

export { store }
