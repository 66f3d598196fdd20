/** A line of a file that holds no JSON. */
export class UnreadableLineError extends Error {
  override readonly name = 'UnreadableLineError'
  /** Counted from 1. */
  readonly line: number
  constructor(line: number) {
    super(`line ${line} is not JSON`)
    this.line = line
  }
}

/** The values of a file of JSON lines. The half line that a killed process left at the end never happened. */
export function parseLines(text: string): unknown[] {
  const lines = text.split('\n')
  lines.pop()
  return lines.map((line, index) => {
    try {
      return JSON.parse(line)
    } catch {
      throw new UnreadableLineError(index + 1)
    }
  })
}
