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
