export { type CheckAppOptions, checkApp } from './app/check-app.ts'
export { type CheckOptions, checkWorkflow } from './check-workflow.ts'
export {
  type CatchForOptions,
  catchFor,
  type RetryForOptions,
  type Route,
  RouteError,
  type Routes,
  retryFor,
} from './contract/build-handlers.ts'
export type { ErrorLike, PlainContract, TaskLike, Tasks } from './contract/contract.ts'
export type { Finding, Fix } from './finding.ts'
export { applyFixes } from './fix/apply-fixes.ts'
export { fixWorkflow } from './fix/fix-workflow.ts'
export { type KnownField, type Readable, readableAt } from './known-fields.ts'
export type {
  Assignments,
  Catcher,
  ChoiceRule,
  ChoiceState,
  ChoiceTest,
  Comparison,
  ComparisonOperator,
  ErrorHandling,
  FailState,
  ItemBatcher,
  ItemProcessor,
  ItemReader,
  Json,
  JsonataChoiceTest,
  JsonataExpression,
  JsonObject,
  MapState,
  OrExpression,
  ParallelState,
  PassState,
  Path,
  PayloadTemplate,
  ProcessorConfig,
  QueryLanguage,
  ReaderConfig,
  ResultWriter,
  Retrier,
  State,
  StateMachine,
  States,
  StateType,
  SubMachine,
  SucceedState,
  TaskState,
  TypeTest,
  WaitState,
  WriterConfig,
} from './language.ts'
export { isRuleId, type Rule, type RuleId, rules, type Severity } from './rules.ts'
export { type ParseOptions, parseDefinition } from './source/parse-definition.ts'
export type { Pointer } from './source/pointer.ts'
export type { Location, Source, SourceProblem } from './source/source.ts'
export { type StateTypes, stateTypesOf } from './state-types.ts'
export { fieldsAt, valuesAt } from './suggestions.ts'
export { findMachines, isTemplate, type TemplateMachine } from './templates/find-machines.ts'
export { withSubstitutions } from './templates/parse-deployed.ts'
export { notUtf8, unreadMachine, unreadTerraform } from './templates/unread-machine.ts'
export { findVariableReferences } from './variable-references.ts'
