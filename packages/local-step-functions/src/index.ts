export type { TokenBucketOptions } from './api/token-bucket.ts'
export type { ExecutionLogEntry, ExecutionLogOptions } from './executions/execution-log.ts'
export type { StateMachineMetrics } from './executions/metrics.ts'
export type { StatusChangeEvent } from './executions/status-event.ts'
export type {
  FunctionCallByState,
  FunctionContext,
  FunctionHandler,
  RegisteredFunction,
} from './functions/function-host.ts'
export type { HttpConnection, HttpConnections } from './functions/integrations/http-invoke.ts'
export type {
  IntegratedService,
  IntegrationEndpoint,
  IntegrationEndpoints,
} from './functions/integrations/sdk-clients.ts'
export type { StandIn } from './functions/stand-ins/call-stand-in.ts'
export type { GuardedCall, StepFunctionsGuard, StepFunctionsRequest } from './guard.ts'
export { type MapRunChildSummary, type StepFunctions, startStepFunctions } from './step-functions.ts'
export type { StepFunctionsOptions } from './step-functions-options.ts'
