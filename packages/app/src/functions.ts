export type { FunctionKind } from './function.ts'
export {
  type DynamoDbStreamHandler,
  dynamoDbStream,
  type EventHandler,
  eventBridge,
  type SqsHandler,
  schedule,
  sqs,
} from './functions/events.ts'
export { type CallerOptions, eventStream, type HttpHandler, http } from './functions/http.ts'
export { type CallHandler, lambda } from './functions/lambda.ts'
export type {
  AnyFunction,
  FunctionFacts,
  FunctionOptions,
  LambdaFunction,
} from './functions/lambda-function.ts'
export {
  type DeclaredStandIn,
  type StandInContext,
  type StandInOptions,
  standIn,
} from './functions/stand-in.ts'
