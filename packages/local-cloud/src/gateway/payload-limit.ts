import { type Answer, MalformedAnswerError } from './proxy-answer.ts'

/** What Lambda takes and answers, in JSON. */
const maxPayloadBytes = 6 * 1024 * 1024
/** JSON makes at most six bytes of one; what stands around a body is small. */
const surelySmallBytes = 900_000

/** Whether an event is too large for Lambda, though its body was small enough for API Gateway. */
export function isTooLarge(event: object, bodyBytes: number): boolean {
  return bodyBytes > surelySmallBytes && Buffer.byteLength(JSON.stringify(event)) > maxPayloadBytes
}

/** @throws MalformedAnswerError if Lambda would not have let the function answer so much */
export function assertSmallEnough({ body }: Answer): void {
  if (body.length <= surelySmallBytes) return
  const text = typeof body === 'string' ? body : body.toString('base64')
  if (Buffer.byteLength(JSON.stringify(text)) <= maxPayloadBytes) return
  throw new MalformedAnswerError(`the handler answered with more than ${maxPayloadBytes} bytes`)
}
