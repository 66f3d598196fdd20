/** Lambda tries what nobody waits for three times. */
const maxTries = 3

/** What a call that nobody waits for does: a failure is tried again, and the last one is a warning. */
export async function callAsynchronously(what: string, call: () => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await call()
      return
    } catch (error) {
      if (tried < maxTries) continue
      process.emitWarning(`${what} failed ${maxTries} times: ${(error as Error).message}`, {
        code: 'STEPWRIGHT_TRIGGER',
      })
      return
    }
  }
}
