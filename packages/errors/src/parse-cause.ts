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
 * Reads what a catcher was given. Understands the shapes of Lambda's runtimes, plain text, and a Cause that Step
 * Functions cut off in the middle. Never throws, and takes the name from nothing but `Error` and the runtime's report.
 */
export function parseCause(cause: string | ErrorOutput): ParsedCause {
  const { Error: name, Cause } = Object(typeof cause === 'string' ? { Cause: cause } : cause)
  const { name: reported, message, ...report } = readReport(`${Cause ?? ''}`)
  const known = name || reported
  return { ...(known && { name: `${known}` }), ...report, ...openMessage(message) }
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
    if (typeof message === 'string')
      return { name, message, ...(Array.isArray(stackTrace) && { trace: stackTrace.map(String) }) }
  } catch {
    // Cut. Every runtime's report begins with type and message, in either order; a string further in is a quotation.
    const [key, first, , second] = [...text.matchAll(strings)]
    const [type, found] = key?.[1] === 'errorType' ? [first, second] : [second, first]
    if (/^\s*{\s*"e/.test(text) && found?.[1]) {
      return {
        name: type?.[2] && type[1],
        message: JSON.parse(`"${found[1]}"`),
        ...(!found[2] && { cut: true }),
      }
    }
  }
  return { message: text }
}

/** JSON strings, whole or cut; of a cut escape nothing is left. */
const strings = /"((?:\\u[\da-f]{4}|\\["\\/bfnrt]|[ !#-[\]-\uffff])*)("?)/gi
