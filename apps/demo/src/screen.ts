import { styleText } from 'node:util'

/** Where the demo writes: colour on a terminal, plain text elsewhere. */
export interface Screen {
  title(text: string): void
  line(text?: string): void
  table(rows: readonly (readonly string[])[]): void
  /** Text as it is. */
  write(text: string): void
  /** Its size, where it is one. */
  readonly terminal: () => { readonly columns: number; readonly rows: number } | undefined
}

type Style = Parameters<typeof styleText>[0]

export function createScreen(stream: NodeJS.WriteStream = process.stdout): Screen {
  const isTerminal = stream.isTTY === true
  const write = (text: string) => void stream.write(`${text}\n`)
  const paint = (style: Style, text: string) => (isTerminal ? styleText(style, text) : text)
  return {
    terminal: () => (isTerminal ? stream : undefined),
    write: text => void stream.write(text),
    title(text) {
      write(`\n${paint(['bold', 'cyan'], text)}`)
    },
    line(text = '') {
      write(`  ${text}`)
    },
    table(rows) {
      const widths = rows.reduce<number[]>(
        (widest, row) => row.map((cell, i) => Math.max(widest[i] ?? 0, cell.length)),
        [],
      )
      for (const [first = '', ...rest] of rows) {
        const cells = rest.map((cell, i) => cell.padEnd(widths[i + 1] ?? 0))
        write(`  ${paint('green', first.padEnd(widths[0] ?? 0))}  ${cells.join('  ')}`.trimEnd())
      }
    },
  }
}
