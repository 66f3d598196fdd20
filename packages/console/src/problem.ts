/** Why a request of the page cannot be answered, in words for its reader. */
export class ConsoleProblem extends Error {
  override readonly name = 'ConsoleProblem'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
