/** What a service answers instead of a result: the status, the name and the words of AWS. */
export class Refusal extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}
