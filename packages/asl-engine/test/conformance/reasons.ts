/** Why a difference remains, by what it looks like. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /MapStateExited\.previousEventId/,
    'The recordings disagree with each other: after a Distributed Map, MapStateExited follows MapRunSucceeded in most of them and MapRunStarted in the others, for machines of the same shape. The interpreter always answers with the former.',
  ],
  [
    /RoleArn must be specified/,
    'The recorded request does not show that it carried no role, and other requests recorded the same way succeeded; the runner sends one with every request. The refusal itself is implemented and has its own test.',
  ],
  [
    /without ids/,
    'The recording lists concurrent events without ids, so that a replay cannot know which call failed. GetExecutionHistory prints them.',
  ],
  [
    /activity had been deleted/,
    'That the activity did not exist is no answer of a worker: in a replay every activity exists, and this one has no answer.',
  ],
]

export function reasonFor(difference: string): string {
  return reasons.find(([pattern]) => pattern.test(difference))?.[1] ?? 'Not explained yet.'
}
