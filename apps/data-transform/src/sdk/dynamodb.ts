export { DynamoDBClient } from '@aws-sdk/client-dynamodb'
