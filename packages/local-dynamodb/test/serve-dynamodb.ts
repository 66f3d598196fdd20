import { startDynamoDb } from '../src/dynamodb.ts'

// Serves the tables of a directory until it is killed.
const [, , dataDirectory = ''] = process.argv
const { endpoint, region, credentials } = await startDynamoDb({ dataDirectory })
process.stdout.write(`${JSON.stringify({ endpoint, region, credentials })}\n`)
