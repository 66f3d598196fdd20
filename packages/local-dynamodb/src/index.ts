export type {
  Fault,
  FaultEffect,
  FaultError,
  Faults,
  FaultTarget,
  InjectedFault,
} from './dynamodb/faults.ts'
export { type DynamoDb, type DynamoDbOptions, type DynamoDbRequest, startDynamoDb } from './dynamodb.ts'
