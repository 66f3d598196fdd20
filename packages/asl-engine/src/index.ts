export { countTransitions } from './billing/transitions.ts'
export {
  addUsage,
  awsPrices,
  type BilledUsage,
  expressUsage,
  noUsage,
  type Prices,
  priceOf,
} from './billing/usage.ts'
export {
  createEngine,
  type Engine,
  type EngineOptions,
  type ExecutionResult,
  type RunningExecution,
  type RunOptions,
} from './engine.ts'
export type {
  ChildControl,
  ChildEnd,
  ChildListener,
  MapRunChild,
  MapRunControl,
  MapRunCounts,
  MapRunLimits,
  MapRunListener,
  MapRunStatus,
} from './execution/execution.ts'
export { InvalidJsonataError } from './expressions/jsonata-expression.ts'
export { StateFailure } from './failures/state-failure.ts'
export { type HistoryEvent, toHistoryEvent } from './history/event.ts'
export { isHistoryEvent } from './history/history.ts'
export type { EventDetails, HistoryRecord } from './history/record.ts'
export type { Limits } from './limits.ts'
export { createMemoryObjects, type MemoryObjects } from './map/memory-objects.ts'
export type { MapObject, ObjectStorePort } from './map/object-store.ts'
export {
  type ActivityPort,
  type CallContext,
  type CallService,
  type InvokeFunction,
  type ServiceCall,
  TaskFailure,
} from './task/ports.ts'
export { createTaskTokens, type TaskTokens, type WaitingTask } from './task/task-tokens.ts'
export { functionMissing } from './task/unknown.ts'
export {
  type TestStateAnswer,
  type TestStateConfiguration,
  type TestStateMock,
  TestStateRefusal,
  type TestStateRequest,
} from './test-state/request.ts'
export { testState } from './test-state/test-state.ts'
export { type Clock, createRealClock, createVirtualClock } from './time/clock.ts'
