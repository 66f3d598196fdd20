/** What Step Functions allows, by its quotas page unless another source is named. */

/** UTF-8 bytes of a state's input, output or result. */
export const maxPayloadBytes = 262_144
/** Events in the history of a Standard execution. */
export const maxHistoryEvents = 25_000
/** Characters of a definition. */
export const maxDefinitionCharacters = 1_048_576
export const maxStateNameCharacters = 80
export const maxVariableNameCharacters = 80
export const maxMapLabelCharacters = 40
/** Of TimeoutSeconds, HeartbeatSeconds, Seconds and IntervalSeconds (the language's specification). */
export const maxSeconds = 99_999_999
/** Of MaxDelaySeconds: a year and a day. */
export const maxRetryDelaySeconds = 31_622_400
/** How long an Express execution may run. */
export const maxExpressSeconds = 300
/** Functions inside functions (the page on intrinsic functions). */
export const maxNestedIntrinsics = 10
/** Elements that States.ArrayRange makes. */
export const maxRangeElements = 1000
/** Characters that States.Hash, Base64Encode and Base64Decode take. */
export const maxIntrinsicCharacters = 10_000
/**
 * Bytes of a value that a JSONata expression makes, at 24 for each element of a list: 873,782 elements were seen to pass, and
 * 900,000 to fail.
 */
export const maxJsonataBytes = 20_971_520
export const jsonataElementBytes = 24
/** Characters of a text that a JSONata expression makes: twice as many were seen to fail. */
export const maxJsonataCharacters = 4_194_304
/** Levels of evaluation: a function that calls itself was seen to get to a depth near 100, with three levels for each call. */
export const maxJsonataDepth = 303
/** Bytes of all variables of an execution; a variable, and all that one Assign sets, has at most those of a payload. */
export const maxVariablesBytes = 10_485_760
