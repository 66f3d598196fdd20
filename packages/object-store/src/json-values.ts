import { DataValidationError } from '@stepwright/errors'

/** A Map's child may return 256 KiB, which its record quotes once more. */
const maxValueCharacters = 4 * 1024 * 1024

/** The texts of the values in a file of JSON Lines; empty lines are left out. Holds one line at a time. */
export async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of decode(body)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    refuseEndless(rest)
    for (const line of lines) if (line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}

/** The texts of the elements of a JSON array. Holds one element at a time. */
export async function* readElements(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let element = ''
  let count = 0
  // How many brackets are open; the first is the array's own.
  let depth = 0
  let inText = false
  let isEscaped = false
  for await (const text of decode(body)) {
    let start = 0
    for (let at = 0; at < text.length; at += 1) {
      const mark = text[at]
      if (inText) {
        if (isEscaped) isEscaped = false
        else if (mark === '\\') isEscaped = true
        else if (mark === '"') inText = false
      } else if (mark === '"') inText = true
      else if (mark === '[' || mark === '{') {
        depth += 1
        if (depth === 1) {
          if (mark === '{' || count > 0 || (element + text.slice(start, at)).trim() !== '') throw notAnArray()
          element = ''
          start = at + 1
        }
      } else if (mark === ']' || mark === '}' || mark === ',') {
        if (mark !== ',') depth -= 1
        if (depth > 1 || (depth === 1 && mark !== ',')) continue
        element += text.slice(start, at)
        start = at + 1
        // Only an empty array has nothing in it; elsewhere it is one comma too many.
        if (depth === 1 || count > 0 || element.trim() !== '') yield element
        count += 1
        element = ''
      }
    }
    element += text.slice(start)
    refuseEndless(element)
  }
  if (depth !== 0 || count === 0 || element.trim() !== '') throw notAnArray()
}

async function* decode(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new DataValidationError('the file must be UTF-8', { code: 'MAP_RESULT', cause })
  }
}

function refuseEndless(value: string): void {
  if (value.length <= maxValueCharacters) return
  throw new DataValidationError('a value of the file must not be longer than 4 MiB', { code: 'MAP_RESULT' })
}

function notAnArray(): DataValidationError {
  return new DataValidationError('the file must be one JSON array', { code: 'MAP_RESULT' })
}
