export { type ContextField, contextFields } from './context-object.ts'
export { matchesError, type RaisedBy } from './errors.ts'
export { jsonataFunctions } from './jsonata.ts'
export {
  jsonataElementBytes,
  maxHistoryEvents,
  maxIntrinsicCharacters,
  maxJsonataBytes,
  maxJsonataCharacters,
  maxJsonataDepth,
  maxPayloadBytes,
  maxRangeElements,
  maxVariablesBytes,
} from './limits.ts'
export { mapItemTypes } from './states.ts'
