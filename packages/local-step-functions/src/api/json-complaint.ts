/**
 * What AWS says about text that is not JSON. Step Functions repeats the words of its parser, Jackson, as recorded for
 * StartExecution: the exception's name, what it found and expected, the text, and where in it the parser stopped.
 */
export function jsonComplaint(text: string): string {
  try {
    readRoot({ text, at: 0 })
  } catch (error) {
    if (error instanceof Complaint) {
      const { exception, message, line, column } = error
      return `${exception}: ${message}\n at ${location(text, line, column)}`
    }
    throw error
  }
  throw new TypeError('The text is valid JSON')
}

const parseException = 'com.fasterxml.jackson.core.JsonParseException'
const endException = 'com.fasterxml.jackson.core.io.JsonEOFException'
const emptyException = 'com.fasterxml.jackson.databind.exc.MismatchedInputException'

const validValues = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
const maxToken = 256
const maxShown = 500

/** Where the parser is: behind the last character that it took. */
interface Scanner {
  readonly text: string
  at: number
}

/** An object or a list that is not closed yet. */
interface Scope {
  readonly kind: 'Object' | 'Array'
  readonly close: '}' | ']'
  readonly start: string
}

class Complaint extends Error {
  override readonly name = 'Complaint'
  readonly exception: string
  readonly line: number
  readonly column: number

  constructor({ text, at }: Scanner, message: string, exception: string = parseException) {
    super(message)
    const [line, column] = position(text, at)
    this.exception = exception
    this.line = line
    this.column = exception === emptyException ? 0 : column + 1
  }
}

/** The line, and how many of its characters were taken. */
function position(text: string, at: number): [number, number] {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  return [lines.length, lines.at(-1)?.length ?? 0]
}

function location(text: string, line: number, column: number): string {
  const rest = text.length > maxShown ? `[truncated ${text.length - maxShown} chars]` : ''
  return `[Source: (String)"${text.slice(0, maxShown)}"${rest}; line: ${line}, column: ${column}]`
}

function describeChar(char: string): string {
  const code = char.charCodeAt(0)
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return `(CTRL-CHAR, code ${code})`
  return `'${char}' (code ${code}${code > 0xff ? ` / 0x${code.toString(16)}` : ''})`
}

function unexpected(scanner: Scanner, char: string, expectation: string): Complaint {
  return new Complaint(scanner, `Unexpected character (${describeChar(char)}): ${expectation}`)
}

function ended(scanner: Scanner, where: string): Complaint {
  return new Complaint(scanner, `Unexpected end-of-input${where}`, endException)
}

/** The next character that is not white space, taken; nothing at the end. */
function take(scanner: Scanner): string | undefined {
  for (;;) {
    const char = scanner.text[scanner.at]
    if (char === undefined) return undefined
    scanner.at += 1
    if (' \t\n\r'.includes(char)) continue
    if (char < ' ') {
      const rule = 'only regular white space (\\r, \\n, \\t) is allowed between tokens'
      throw new Complaint(scanner, `Illegal character (${describeChar(char)}): ${rule}`)
    }
    if (char !== '/') return char
    const comment = "(not recognized as one since Feature 'ALLOW_COMMENTS' not enabled for parser)"
    throw unexpected(scanner, char, `maybe a (non-standard) comment? ${comment}`)
  }
}

function readRoot(scanner: Scanner): void {
  const first = take(scanner)
  if (first === undefined)
    throw new Complaint(scanner, 'No content to map due to end-of-input', emptyException)
  readValue(scanner, first)
  const rest = take(scanner)
  if (rest !== undefined) throw unexpected(scanner, rest, 'Expected space separating root-level values')
}

function readValue(scanner: Scanner, first: string): void {
  if (first === '{') readObject(scanner)
  else if (first === '[') readArray(scanner)
  else if (first === '"') readText(scanner, 'string value')
  else if (/[-\d]/.test(first)) readNumber(scanner, first)
  else if (/[\p{ID_Start}$_]/u.test(first)) readWord(scanner, first)
  else throw unexpected(scanner, first, `expected a valid value ${validValues}`)
}

function readWord(scanner: Scanner, first: string): void {
  const [rest = ''] =
    /^[\p{ID_Continue}$]*/u.exec(scanner.text.slice(scanner.at, scanner.at + maxToken)) ?? []
  scanner.at += rest.length
  const word = first + rest
  if (['true', 'false', 'null'].includes(word)) return
  const shown = word.length > maxToken ? `${word.slice(0, maxToken)}...` : word
  throw new Complaint(scanner, `Unrecognized token '${shown}': was expecting ${validValues}`)
}

function openScope({ text, at }: Scanner, kind: Scope['kind']): Scope {
  return { kind, close: kind === 'Object' ? '}' : ']', start: location(text, ...position(text, at)) }
}

/** What follows in an object or a list: the first character of the next member, or nothing if it is closed. */
function nextMember(scanner: Scanner, { kind, close, start }: Scope, isFirst: boolean): string | undefined {
  const char = take(scanner)
  if (char === undefined)
    throw ended(scanner, `: expected close marker for ${kind} (start marker at ${start})`)
  if (char === close) return undefined
  if (char === '}' || char === ']') {
    const mismatch = `expected '${close}' (for ${kind} starting at ${start})`
    throw new Complaint(scanner, `Unexpected close marker '${char}': ${mismatch}`)
  }
  if (isFirst) return char
  if (char !== ',') throw unexpected(scanner, char, `was expecting comma to separate ${kind} entries`)
  const member = take(scanner)
  if (member !== undefined) return member
  throw new Complaint(scanner, `Unexpected end-of-input within/between ${kind} entries`)
}

function readArray(scanner: Scanner): void {
  const scope = openScope(scanner, 'Array')
  let item = nextMember(scanner, scope, true)
  while (item !== undefined) {
    readValue(scanner, item)
    item = nextMember(scanner, scope, false)
  }
}

function readObject(scanner: Scanner): void {
  const scope = openScope(scanner, 'Object')
  const expectPart = (): string => {
    const char = take(scanner)
    if (char === undefined) throw ended(scanner, ' within/between Object entries')
    return char
  }
  let name = nextMember(scanner, scope, true)
  while (name !== undefined) {
    if (name !== '"') throw unexpected(scanner, name, 'was expecting double-quote to start field name')
    readText(scanner, 'name')
    const colon = expectPart()
    if (colon !== ':')
      throw unexpected(scanner, colon, 'was expecting a colon to separate field name and value')
    readValue(scanner, expectPart())
    name = nextMember(scanner, scope, false)
  }
}

function readText(scanner: Scanner, what: 'name' | 'string value'): void {
  for (;;) {
    const char = scanner.text[scanner.at]
    if (char === undefined) {
      const missing = ': was expecting closing quote for a string value'
      throw ended(scanner, what === 'name' ? ' in field name' : missing)
    }
    scanner.at += 1
    if (char === '"') return
    if (char === '\\') readEscape(scanner)
    else if (char < ' ') {
      const rule = `has to be escaped using backslash to be included in ${what}`
      throw new Complaint(scanner, `Illegal unquoted character (${describeChar(char)}): ${rule}`)
    }
  }
}

function readEscape(scanner: Scanner): void {
  const next = (): string => {
    const char = scanner.text[scanner.at]
    if (char === undefined) throw ended(scanner, ' in character escape sequence')
    scanner.at += 1
    return char
  }
  const escaped = next()
  if ('"\\/bfnrt'.includes(escaped)) return
  if (escaped !== 'u') throw new Complaint(scanner, `Unrecognized character escape ${describeChar(escaped)}`)
  for (let digit = 0; digit < 4; digit += 1) {
    const hex = next()
    if (!/[\da-f]/i.test(hex))
      throw unexpected(scanner, hex, 'expected a hex-digit for character escape sequence')
  }
}

function readNumber(scanner: Scanner, first: string): void {
  const digits = (rule: string): void => {
    const [found = ''] = /^\d*/.exec(scanner.text.slice(scanner.at)) ?? []
    scanner.at += found.length
    if (found !== '') return
    const char = scanner.text[scanner.at]
    if (char === undefined) throw ended(scanner, ' in a Number value')
    scanner.at += 1
    throw new Complaint(scanner, `Unexpected character (${describeChar(char)}) in numeric value: ${rule}`)
  }
  const skip = (chars: string): boolean => {
    const char = scanner.text[scanner.at]
    if (char === undefined || !chars.includes(char)) return false
    scanner.at += 1
    return true
  }
  if (first !== '-') scanner.at -= 1
  const start = scanner.at
  digits('expected digit (0-9) to follow minus sign, for valid numeric value')
  if (/^0\d/.test(scanner.text.slice(start, start + 2))) {
    scanner.at = start + 1
    throw new Complaint(scanner, 'Invalid numeric value: Leading zeroes not allowed')
  }
  if (skip('.')) digits('Decimal point not followed by a digit')
  if (skip('eE')) {
    skip('+-')
    digits('Exponent indicator not followed by a digit')
  }
}
