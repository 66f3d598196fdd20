/** What the API answers instead of a result: the name and the words of AWS. */
export class LambdaRefusal extends Error {
  override readonly name = 'LambdaRefusal'
  readonly type: string
  readonly status: number

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

export function functionNotFound(arn: string): LambdaRefusal {
  return new LambdaRefusal(404, 'ResourceNotFoundException', `Function not found: ${arn}`)
}
