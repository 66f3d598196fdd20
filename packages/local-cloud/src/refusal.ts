/** What a service answers instead of a result: the status, the name and the words of AWS. */
export class Refusal extends Error {
  readonly status: number
  readonly type: string
  /** What the answer says besides. */
  readonly details: Readonly<Record<string, string>>

  constructor(status: number, type: string, message: string, details: Readonly<Record<string, string>> = {}) {
    super(message)
    this.details = details
    this.status = status
    this.type = type
  }
}
