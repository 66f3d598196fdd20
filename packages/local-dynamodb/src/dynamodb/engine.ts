/** One call of DynamoDB's JSON protocol, read completely. */
export interface Call {
  readonly operation: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** The body as JSON, `{}` if it is none. */
  readonly input: Readonly<Record<string, unknown>>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: string
}

export type Engine = (call: Call) => Promise<Answer>
