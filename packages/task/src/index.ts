export { defineTask, type NeedsOf, type TaskDefinition } from './define-task.ts'
export {
  type DescribeOptions,
  describeTask,
  type ErrorContract,
  type JsonSchema,
  jsonSchemaOf,
  type TaskContract,
} from './describe-task.ts'
export type { TaskCall, TaskMiddleware } from './middleware.ts'
export type { AnyTask, InputOf, OutputOf, Permission, PortsOf, Task, TaskNeeds } from './task.ts'
export type {
  GivenContext,
  LogFields,
  MetricUnit,
  TaskContext,
  TaskLogger,
  TaskMetrics,
} from './task-context.ts'
