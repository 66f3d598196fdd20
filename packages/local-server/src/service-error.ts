/** What a service answers instead of a result: the name and the words of AWS. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: string
  readonly status: number
  constructor(code: string, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}
