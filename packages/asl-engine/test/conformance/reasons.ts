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
]

export function reasonFor(difference: string): string {
  return reasons.find(([pattern]) => pattern.test(difference))?.[1] ?? 'Not explained yet.'
}
