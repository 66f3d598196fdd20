import { ServiceError } from './service-error.ts'

/** A call to a local service, which asks for no signature. */
export interface JsonCall {
  readonly endpoint: string
  /** `AmazonSQS.SendMessage` */
  readonly target: string
  readonly version: '1.0' | '1.1'
  readonly input: object
  readonly signal?: AbortSignal
}

/** @throws ServiceError with the name and the words of the service */
export async function callJsonService({
  endpoint,
  target,
  version,
  input,
  signal,
}: JsonCall): Promise<unknown> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amz-target': target },
    body: JSON.stringify(input),
    ...(signal && { signal }),
  })
  const answer = await response.text()
  if (response.ok) return JSON.parse(answer)
  throw toError(answer, response.status)
}

function toError(answer: string, status: number): ServiceError {
  try {
    const { __type: type = 'UnknownError', message = answer } = JSON.parse(answer)
    return new ServiceError(String(type).split('#').at(-1) ?? '', message, status)
  } catch {
    return new ServiceError('UnknownError', answer, status)
  }
}
