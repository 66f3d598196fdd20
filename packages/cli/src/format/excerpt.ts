import type { Finding } from '@stepwright/asl'

const widest = 110

/** The lines around a finding, with carets under what it points at. */
export function excerpt(text: string, finding: Finding, paint: (text: string) => string): readonly string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/)
  const last = Math.min(finding.line + 1, lines.length)
  const gutter = String(last).length
  const shown: string[] = []
  for (let number = Math.max(1, finding.line - 1); number <= last; number += 1) {
    const line = lines[number - 1] ?? ''
    const from = number === finding.line ? Math.max(0, finding.column - 1 - Math.floor(widest / 2)) : 0
    const cut = line.length > widest ? line.slice(from, from + widest) : line
    shown.push(`${String(number).padStart(gutter)} │ ${expand(cut)}`)
    if (number === finding.line) {
      const offset = line.length > widest ? from : 0
      shown.push(`${' '.repeat(gutter)} │ ${paint(carets(cut, finding, line.length, offset))}`)
    }
  }
  return shown
}

function carets(line: string, finding: Finding, length: number, offset: number): string {
  const start = finding.column - 1 - offset
  const end = finding.endLine === finding.line ? finding.endColumn - 1 - offset : length - offset
  const width = columns(line.slice(Math.max(0, start), Math.min(end, line.length)).trimEnd())
  return ' '.repeat(columns(line.slice(0, Math.max(0, start)))) + '^'.repeat(Math.max(1, width))
}

function expand(text: string): string {
  return text.replaceAll('\t', '  ')
}

/** How wide a text is on a terminal: East Asian letters take two columns. */
function columns(text: string): number {
  let width = 0
  for (const char of expand(text)) width += isWide(char.codePointAt(0) ?? 0) ? 2 : 1
  return width
}

function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  )
}
