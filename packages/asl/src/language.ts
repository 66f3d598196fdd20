/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export type QueryLanguage = 'JSONPath' | 'JSONata'

/** A JSONata expression: `{% … %}`. */
export type JsonataExpression = string
/** A reference path or path: `$.a.b`, `$$.Execution.Name`, `$variable.c`. `null` where ASL allows it means "nothing". */
export type Path = string
/** A payload template: keys that end in `.$` hold paths and intrinsic functions (JSONPath), strings may hold `{% … %}` (JSONata). */
export type PayloadTemplate = Json
/** A JSONata expression or a literal of the type. */
export type OrExpression<T> = T | JsonataExpression

export interface StateMachine {
  readonly StartAt: string
  readonly States: States
  readonly Comment?: string
  readonly Version?: string
  readonly QueryLanguage?: QueryLanguage
  readonly TimeoutSeconds?: number
}

/** The inner machine of a Map's ItemProcessor or of a Parallel's branch. */
export interface SubMachine {
  readonly StartAt: string
  readonly States: States
  readonly Comment?: string
  readonly QueryLanguage?: QueryLanguage
}

export interface States {
  readonly [name: string]: State
}

export type State =
  | TaskState
  | PassState
  | ChoiceState
  | WaitState
  | SucceedState
  | FailState
  | ParallelState
  | MapState

export type StateType = State['Type']

interface StateFields {
  readonly Comment?: string
  readonly QueryLanguage?: QueryLanguage
}

/** JSONPath: the part of the input that the state sees, and the part of the output that it passes on. */
interface InputOutputPaths {
  readonly InputPath?: Path | null
  readonly OutputPath?: Path | null
}

/** JSONata: what the state passes on. */
interface OutputField {
  readonly Output?: Json
}

interface AssignField {
  readonly Assign?: Assignments
}

/** Variables and their values; in JSONPath a key `name.$` holds a path or an intrinsic function. */
export interface Assignments {
  readonly [variable: string]: Json
}

/** JSONPath: what becomes of a state's result. */
interface ResultFields {
  readonly ResultSelector?: JsonObject
  readonly ResultPath?: Path | null
}

interface Transition {
  readonly Next?: string
  readonly End?: boolean
}

export interface ErrorHandling {
  readonly Retry?: readonly Retrier[]
  readonly Catch?: readonly Catcher[]
}

export interface Retrier {
  readonly ErrorEquals: readonly string[]
  readonly Comment?: string
  readonly IntervalSeconds?: number
  readonly MaxAttempts?: number
  readonly BackoffRate?: number
  readonly MaxDelaySeconds?: number
  readonly JitterStrategy?: 'FULL' | 'NONE'
}

export interface Catcher extends AssignField, OutputField {
  readonly ErrorEquals: readonly string[]
  readonly Next: string
  readonly Comment?: string
  /** JSONPath. Absent means `$`: the error output replaces the input. */
  readonly ResultPath?: Path | null
}

export interface TaskState
  extends StateFields,
    InputOutputPaths,
    ResultFields,
    OutputField,
    AssignField,
    ErrorHandling,
    Transition {
  readonly Type: 'Task'
  readonly Resource: string
  readonly Parameters?: PayloadTemplate
  readonly Arguments?: PayloadTemplate
  readonly Credentials?: JsonObject
  readonly TimeoutSeconds?: OrExpression<number>
  readonly TimeoutSecondsPath?: Path
  readonly HeartbeatSeconds?: OrExpression<number>
  readonly HeartbeatSecondsPath?: Path
}

export interface PassState extends StateFields, InputOutputPaths, OutputField, AssignField, Transition {
  readonly Type: 'Pass'
  readonly Result?: Json
  readonly ResultPath?: Path | null
  readonly Parameters?: PayloadTemplate
}

export interface WaitState extends StateFields, InputOutputPaths, OutputField, AssignField, Transition {
  readonly Type: 'Wait'
  readonly Seconds?: OrExpression<number>
  readonly SecondsPath?: Path
  readonly Timestamp?: OrExpression<string>
  readonly TimestampPath?: Path
}

export interface SucceedState extends StateFields, InputOutputPaths, OutputField {
  readonly Type: 'Succeed'
}

export interface FailState extends StateFields {
  readonly Type: 'Fail'
  readonly Error?: OrExpression<string>
  readonly ErrorPath?: Path
  readonly Cause?: OrExpression<string>
  readonly CausePath?: Path
}

export interface ParallelState
  extends StateFields,
    InputOutputPaths,
    ResultFields,
    OutputField,
    AssignField,
    ErrorHandling,
    Transition {
  readonly Type: 'Parallel'
  readonly Branches: readonly SubMachine[]
  readonly Parameters?: PayloadTemplate
  readonly Arguments?: PayloadTemplate
}

export interface ChoiceState extends StateFields, InputOutputPaths, OutputField, AssignField {
  readonly Type: 'Choice'
  readonly Choices: readonly ChoiceRule[]
  readonly Default?: string
}

/** A top-level rule of a Choice: a test and where it leads. */
export type ChoiceRule = (ChoiceTest | JsonataChoiceTest) & { readonly Next: string } & AssignField &
  OutputField

export interface JsonataChoiceTest {
  readonly Condition: OrExpression<boolean>
  readonly Comment?: string
}

/** JSONPath: one comparison, or And, Or, Not of further tests. */
export type ChoiceTest =
  | Comparison
  | { readonly And: readonly ChoiceTest[] }
  | { readonly Or: readonly ChoiceTest[] }
  | { readonly Not: ChoiceTest }

/** `Variable` and exactly one of the operators. */
export type Comparison = { readonly Variable: Path; readonly Comment?: string } & ComparisonOperators

export type ComparisonOperators = {
  readonly [Operator in ComparisonOperator]?: OperandOf<Operator>
}

type OrderedType = 'String' | 'Numeric' | 'Timestamp'
type OrderedOperator =
  `${OrderedType}${'Equals' | 'LessThan' | 'GreaterThan' | 'LessThanEquals' | 'GreaterThanEquals'}`
type EqualityOperator = OrderedOperator | 'BooleanEquals'
export type TypeTest = 'IsNull' | 'IsPresent' | 'IsNumeric' | 'IsString' | 'IsBoolean' | 'IsTimestamp'
export type ComparisonOperator = EqualityOperator | `${EqualityOperator}Path` | 'StringMatches' | TypeTest

type OperandOf<Operator extends ComparisonOperator> = Operator extends TypeTest | 'BooleanEquals'
  ? boolean
  : Operator extends `${string}Path`
    ? Path
    : Operator extends `Numeric${string}`
      ? number
      : string

export interface MapState
  extends StateFields,
    InputOutputPaths,
    ResultFields,
    OutputField,
    AssignField,
    ErrorHandling,
    Transition {
  readonly Type: 'Map'
  readonly ItemProcessor?: ItemProcessor
  /** The older name of ItemProcessor; always inline. */
  readonly Iterator?: SubMachine
  /** JSONata: the items. */
  readonly Items?: OrExpression<readonly Json[] | JsonObject>
  /** JSONPath: where the items are. */
  readonly ItemsPath?: Path
  readonly ItemSelector?: PayloadTemplate
  /** The older name of ItemSelector. */
  readonly Parameters?: PayloadTemplate
  readonly ItemReader?: ItemReader
  readonly ItemBatcher?: ItemBatcher
  readonly ResultWriter?: ResultWriter
  readonly MaxConcurrency?: OrExpression<number>
  readonly MaxConcurrencyPath?: Path
  readonly ToleratedFailurePercentage?: OrExpression<number>
  readonly ToleratedFailurePercentagePath?: Path
  readonly ToleratedFailureCount?: OrExpression<number>
  readonly ToleratedFailureCountPath?: Path
  readonly Label?: string
}

export interface ItemProcessor extends SubMachine {
  readonly ProcessorConfig?: ProcessorConfig
}

export interface ProcessorConfig {
  readonly Mode?: 'INLINE' | 'DISTRIBUTED'
  readonly ExecutionType?: 'STANDARD' | 'EXPRESS'
}

export interface ItemReader {
  readonly Resource: string
  readonly Parameters?: PayloadTemplate
  readonly Arguments?: PayloadTemplate
  readonly ReaderConfig?: ReaderConfig
}

export interface ReaderConfig {
  readonly InputType?: 'CSV' | 'JSON' | 'JSONL' | 'PARQUET' | 'MANIFEST'
  readonly Transformation?: 'NONE' | 'LOAD_AND_FLATTEN'
  readonly ManifestType?: 'ATHENA_DATA' | 'S3_INVENTORY'
  readonly CSVHeaderLocation?: 'FIRST_ROW' | 'GIVEN'
  readonly CSVHeaders?: readonly string[]
  readonly CSVDelimiter?: 'COMMA' | 'PIPE' | 'SEMICOLON' | 'SPACE' | 'TAB'
  readonly ItemsPointer?: string
  readonly MaxItems?: OrExpression<number>
  readonly MaxItemsPath?: Path
}

export interface ItemBatcher {
  readonly BatchInput?: PayloadTemplate
  readonly MaxItemsPerBatch?: OrExpression<number>
  readonly MaxItemsPerBatchPath?: Path
  readonly MaxInputBytesPerBatch?: OrExpression<number>
  readonly MaxInputBytesPerBatchPath?: Path
}

export interface ResultWriter {
  readonly Resource?: string
  readonly Parameters?: PayloadTemplate
  readonly Arguments?: PayloadTemplate
  readonly WriterConfig?: WriterConfig
}

export interface WriterConfig {
  readonly Transformation?: 'NONE' | 'COMPACT' | 'FLATTEN'
  readonly OutputType?: 'JSON' | 'JSONL'
}
