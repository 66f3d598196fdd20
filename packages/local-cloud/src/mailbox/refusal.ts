/** An error as SES answers it. */
export class Refusal extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

export function badRequest(message: string): Refusal {
  return new Refusal(400, 'BadRequestException', message)
}
