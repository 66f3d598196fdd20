import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { testDynamoDb } from '@stepwright/local-dynamodb/vitest'
import { afterAll } from 'vitest'

const { clientConfig, tableName } = testDynamoDb()
const client = new DynamoDBClient(clientConfig)
const locks = tableName('locks') // create it before use; nobody else has a table of this name
afterAll(() => client.destroy())

export { locks }
