import type { ErrorDetails, TaskError } from './task-error.ts'

/** What crosses the Lambda boundary besides the name: on the last line of the message, as JSON. */
export interface Envelope {
  readonly code?: string
  readonly details?: ErrorDetails
  readonly retryAfterSeconds?: number
  /** The message or the details were too long to arrive whole. */
  readonly cut?: boolean
}

/** Step Functions cuts Cause at 32,768 characters; the stack trace follows the message and may be cut. */
const maxMessage = 24_000
const maxText = 2_000
const mark = '{"stepwright":1'

/** The message to throw across a boundary that keeps only name, message and trace. `openMessage` undoes it. */
export function sealMessage({ message, code, details, retryAfterSeconds }: TaskError): string {
  const facts = { code, details, retryAfterSeconds }
  const sealed = seal(message, facts)
  if (JSON.stringify(sealed).length <= maxMessage) return sealed
  const text =
    message.length > maxText ? `${message.slice(0, maxText).replace(/[\ud800-\udbff]$/, '')}…` : message
  const shorter = seal(text, { ...facts, cut: true })
  return JSON.stringify(shorter).length <= maxMessage
    ? shorter
    : seal(text, { ...facts, code: code?.slice(0, maxText), details: undefined, cut: true })
}

function seal(text: string, facts: Readonly<Record<string, unknown>>): string {
  const json = toJson({ stepwright: 1, ...facts })
  return json === `${mark}}` && !text.includes(mark) ? text : `${text}\n${json}`
}

function toJson(facts: Readonly<Record<string, unknown>>): string {
  try {
    // The Lambda runtime rewrites DEL, the one control character that JSON leaves as it is.
    return JSON.stringify(facts).replaceAll('\x7f', '\\u007f')
  } catch {
    // Circular, or a BigInt.
    return toJson({ ...facts, details: { unreadable: true } })
  }
}

/** The text that `sealMessage` was given, and what it put under it. */
export function openMessage(message: string): Envelope & { readonly message: string } {
  const [, text, json] = /^(.*)\n(\{"stepwright":1[^\n]*)$/s.exec(message) ?? []
  if (!json) return { message }
  try {
    // Anybody can write such a line: only fields of ours count, and only with their types.
    const { code, details, retryAfterSeconds, cut } = JSON.parse(json)
    return {
      ...(typeof code === 'string' && { code }),
      ...(Object(details) === details && !Array.isArray(details) && { details }),
      ...(Number.isFinite(retryAfterSeconds) && { retryAfterSeconds }),
      ...(cut === true && { cut }),
      message: text as string,
    }
  } catch {
    return { message: text as string, cut: true }
  }
}
