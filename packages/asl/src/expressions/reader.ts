/** A text and how far it has been read. */
export interface Reader {
  readonly text: string
  at: number
}

/** What a reader stops with; parsers turn it into the string that they return. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

export function stop(problem: string): never {
  throw new Unreadable(problem)
}

/** What `read` makes, or the problem that it stopped with. */
export function readOrExplain<Result>(read: () => Result): Result | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable) return error.message
    throw error
  }
}

const space = /\s*/y

export function skipSpace(reader: Reader): void {
  space.lastIndex = reader.at
  space.test(reader.text)
  reader.at = space.lastIndex
}

/** Takes what the sticky pattern matches here. */
export function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)?.[0]
  if (found !== undefined) reader.at += found.length
  return found
}

/** Takes the text if it stands here. */
export function accept(reader: Reader, expected: string): boolean {
  if (!reader.text.startsWith(expected, reader.at)) return false
  reader.at += expected.length
  return true
}

const quoted = /'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"/y
const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** A text in single or double quotes, with the escapes that Jayway knows. */
export function takeQuoted(reader: Reader): string | undefined {
  const found = take(reader, quoted)
  return found
    ?.slice(1, -1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_all, code?: string, char = '') =>
      code === undefined ? (controls[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
    )
}

/** A name in quotes: a backslash in it is part of the name, and keeps a quote from ending it. */
export function takeQuotedName(reader: Reader): string | undefined {
  return take(reader, quoted)?.slice(1, -1)
}
