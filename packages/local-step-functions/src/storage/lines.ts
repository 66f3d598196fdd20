/** The values of a file of JSON lines. The half line that a killed process left at the end never happened. */
export function parseLines(text: string): unknown[] {
  const lines = text.split('\n')
  lines.pop()
  return lines.map((line, index) => {
    try {
      return JSON.parse(line)
    } catch {
      throw new Error(`line ${index + 1} is not JSON`)
    }
  })
}
