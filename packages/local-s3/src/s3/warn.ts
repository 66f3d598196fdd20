/** Tells the developer of something that no client must suffer from. */
export function warn(what: string, error: unknown): void {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.emitWarning(`${what}: ${reason}`, { type: 'StepwrightWarning', code: 'STEPWRIGHT_S3' })
}
