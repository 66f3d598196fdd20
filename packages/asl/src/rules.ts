export type Severity = 'error' | 'warning' | 'info'

export interface Rule {
  readonly severity: Severity
  /** What the rule is about, in one line. */
  readonly title: string
}

const table = [
  ['names/unknown-error', 'error', 'ErrorEquals names an error that nothing can raise'],
  ['names/unknown-reserved', 'error', 'ErrorEquals names a States. error that does not exist'],
  ['names/uncatchable', 'error', 'ErrorEquals names an error that nothing takes'],
  ['names/wrong-prefix', 'error', 'ErrorEquals spells the service’s prefix wrongly'],
  ['names/unknown-integration', 'info', 'an AWS SDK integration that the SDK’s models do not have'],

  ['kinds/business-retried', 'error', 'a retrier matches a business error'],
  ['kinds/retryable-not-retried', 'warning', 'no retrier matches a retryable error'],
  ['kinds/policy-contradicts', 'warning', 'a retrier contradicts the error’s own retry policy'],

  ['routes/uncaught', 'warning', 'no catcher takes an error that the task declares'],
  [
    'routes/shadowed',
    'warning',
    'a retrier or catcher can never match, since an earlier one takes its errors',
  ],
  ['routes/all-not-last', 'error', 'States.ALL is not alone or not last'],
  ['routes/lambda-transient', 'warning', 'Lambda’s own transient errors are not retried'],
  ['routes/failure-succeeds', 'warning', 'a failure path ends the execution as a success'],
  ['routes/no-default', 'warning', 'a Choice without Default does not take every value'],
  ['routes/handler-without-retry', 'warning', 'a task that handles a failure is not retried itself'],

  ['flow/missing-path', 'error', 'a path that no route into the state provides'],
  ['flow/sometimes-missing', 'error', 'a path that only some routes into the state provide'],
  ['flow/missing-after-test', 'warning', 'a path that a test has found absent'],
  ['flow/optional-field', 'warning', 'a path that the schema does not promise'],
  ['flow/catcher-drops-input', 'error', 'a catcher drops a field that a later state reads'],
  ['flow/input-mismatch', 'error', 'what a task is given cannot satisfy its input schema'],
  ['flow/unknown-context', 'error', 'a context object path that does not exist'],
  ['flow/unassigned-variable', 'error', 'a variable is used before it is assigned'],
  ['flow/unknown-function', 'error', 'a JSONata function that does not exist'],
  ['flow/unstable-execution-name', 'warning', 'a nested execution’s name changes with every attempt'],
  ['flow/result-path', 'error', 'a ResultPath leads into something that is no object'],
  ['flow/wrong-type', 'error', 'a value of a type that its field does not take'],
  ['flow/doubtful-type', 'warning', 'a value that may be of a type that is not taken'],
  ['flow/never-equal', 'warning', 'a comparison of values of different types, which never holds'],
  ['flow/expression-as-text', 'warning', 'a path or expression is passed on as text'],
  ['flow/unreadable-schema', 'info', 'a schema that cannot be read as JSON Schema'],

  ['limits/rows-in-payload', 'warning', 'rows carried in the payload can pass 256 KiB'],
  ['limits/map-results', 'warning', 'the results of a Distributed Map are kept in the payload'],
  ['limits/retry-exceeds-timeout', 'warning', 'the retries take longer than the timeout allows'],
  ['limits/heartbeat-never-sent', 'warning', 'a heartbeat is expected from a task that cannot send one'],
  ['limits/tolerance-unreachable', 'warning', 'a failure tolerance that no failure can reach'],
  ['limits/inline-map-events', 'warning', 'an inline Map can pass 25,000 history events'],
  ['limits/missing-timeout', 'info', 'nothing ends an execution that hangs'],
  ['limits/callback-without-timeout', 'warning', 'a callback is waited for without a timeout'],
  ['limits/callback-without-token', 'error', 'a callback is waited for, but its token is never passed on'],

  ['app/unknown-placeholder', 'error', 'a placeholder that stands for nothing in the app'],
  ['app/unused-function', 'warning', 'a function that nothing calls'],
  ['app/workflow-never-started', 'warning', 'a workflow that nothing starts'],
  ['app/timeouts-do-not-nest', 'warning', 'a time limit that does not lie inside the next'],
  ['app/function-kind', 'error', 'a state calls a function made for another kind of event'],
  ['app/missing-permission', 'error', 'an AWS action that a task needs and no binding allows'],

  ['valid/syntax', 'error', 'the text is not JSON or YAML, or the file is not UTF-8'],
  ['valid/unread', 'info', 'a definition that is not read, and so not checked'],
  ['valid/duplicate-key', 'error', 'a key is given twice'],
  ['valid/size', 'error', 'the definition is larger than Step Functions takes'],
  ['valid/required-field', 'error', 'a required field is missing'],
  ['valid/unknown-field', 'error', 'a field that does not exist there'],
  ['valid/field-value', 'error', 'a field has a value that is not allowed'],
  ['valid/exclusive-fields', 'error', 'fields that exclude each other'],
  ['valid/query-language', 'error', 'a query language used where it is not allowed'],
  ['valid/state-name', 'error', 'a state’s name is too long or given twice'],
  ['valid/transition', 'error', 'a transition that leads nowhere'],
  ['valid/unreachable', 'error', 'a state that no transition reaches'],
  ['valid/path', 'error', 'a path or intrinsic function that cannot be read'],
  ['valid/jsonata', 'error', 'a JSONata expression that cannot be read'],
  ['valid/choice-rule', 'error', 'a choice rule that is not well formed'],
  ['valid/express', 'error', 'something that Express workflows do not have'],
] as const

export type RuleId = (typeof table)[number][0]

/** Every rule of the checker; `docs/rules` has a page for each. */
export const rules: Readonly<Record<RuleId, Rule>> = Object.fromEntries(
  table.map(([id, severity, title]) => [id, { severity, title }]),
) as Record<RuleId, Rule>

export function isRuleId(text: string): text is RuleId {
  return Object.hasOwn(rules, text)
}
