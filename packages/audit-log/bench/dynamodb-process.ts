import { startDynamoDb } from '@stepwright/local-dynamodb'

// DynamoDB in a process of its own, as it is on another machine in real life; ends with its parent.
const { endpoint, region, credentials } = await startDynamoDb()
process.send?.({ endpoint, region, credentials })
process.once('disconnect', () => process.exit())
