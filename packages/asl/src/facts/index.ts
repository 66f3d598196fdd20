export { type ContextField, contextFields } from './context-object.ts'
export { isReserved, lambdaNames, matchesError, type RaisedBy, reservedNames } from './errors.ts'
export { integrationProblem, optimizedActions } from './integrations.ts'
export { jsonataFunctions } from './jsonata.ts'
export {
  maxDefinitionCharacters,
  maxDistributedMapConcurrency,
  maxExecutionNameCharacters,
  maxExpressSeconds,
  maxHistoryEvents,
  maxInlineMapConcurrency,
  maxIntrinsicCharacters,
  maxMapLabelCharacters,
  maxNestedIntrinsics,
  maxPayloadBytes,
  maxRangeElements,
  maxRetryDelaySeconds,
  maxSeconds,
  maxStandardSeconds,
  maxStateNameCharacters,
  maxVariableNameCharacters,
} from './limits.ts'
export { comparisonOperands, mapItemTypes, stateTypes } from './states.ts'
