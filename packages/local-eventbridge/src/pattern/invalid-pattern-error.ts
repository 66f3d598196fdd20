/** A pattern that EventBridge would refuse. The message is the reason that EventBridge gives. */
export class InvalidPatternError extends Error {
  override readonly name = 'InvalidPatternError'
}
