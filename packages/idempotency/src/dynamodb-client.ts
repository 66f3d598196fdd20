/** Imported lazily: a bundler keeps only what is named here. */
export { DynamoDBClient } from '@aws-sdk/client-dynamodb'
