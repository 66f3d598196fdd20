import { type Envelope, openMessage } from './envelope.ts'

/** What a catcher's `{ Error, Cause }` says, whatever wrote it. */
export interface ParsedCause extends Envelope {
  /** The name that `ErrorEquals` matched; undefined if only a text was given. */
  readonly name?: string
  readonly message: string
  readonly trace?: readonly string[]
}

/** The output of a failed state, as a catcher puts it into the state's input. */
export interface ErrorOutput {
  readonly Error?: string
  readonly Cause?: string
}

/**
 * Reads what a catcher was given. Understands the shapes of Node's, Python's and Java's Lambda runtimes,
 * plain text, and a Cause that Step Functions cut off in the middle. Never throws.
 */
export function parseCause(cause: string | ErrorOutput): ParsedCause {
  const { Error: name, Cause: text = '' } = typeof cause === 'string' ? { Cause: cause } : cause
  const { name: reported, message, ...report } = readReport(text)
  const known = name ?? reported
  return { ...(known && { name: known }), ...report, ...openMessage(message) }
}

interface Report {
  readonly name?: string | undefined
  readonly message: string
  readonly trace?: readonly string[]
  readonly cut?: boolean
}

function readReport(text: string): Report {
  try {
    const { errorType: name, errorMessage: message, trace, stackTrace = trace } = JSON.parse(text)
    if (typeof message === 'string') return { name, message, ...(stackTrace && { trace: stackTrace }) }
  } catch {
    const [, message, end] = findString(text, 'errorMessage')
    const [, name] = findString(text, 'errorType')
    if (message) return { name, message: JSON.parse(`"${message}"`), ...(!end && { cut: true }) }
  }
  return { message: text }
}

/** The string under a key of a JSON text that may end anywhere, and its closing quote unless it is cut. */
function findString(text: string, key: string): RegExpExecArray | [] {
  return RegExp(`^\\s*{.*?"${key}": ?"((?:[^"\\\\]|\\\\u\\w{4}|\\\\[^u])*)("?)`, 's').exec(text) ?? []
}
