import { stripVTControlCharacters, styleText } from 'node:util'
import type { TerminalSize } from '../io.ts'
import { toTerminalText } from '../terminal-text.ts'
import { cutToWidth, widthOf } from '../text-width.ts'
import type { StateProgress } from './progress.ts'

export interface ProgressDisplay {
  show(states: readonly StateProgress[]): void
}

const marks = { running: '▸', succeeded: '✔', caught: '↷', failed: '✘' } as const
const colours = { running: 'cyan', succeeded: 'green', caught: 'yellow', failed: 'red' } as const

/**
 * On a terminal one line a state, drawn again as it goes on, and no more than fit; elsewhere a line whenever a state
 * begins or ends.
 */
export function createProgressDisplay(
  write: (text: string) => void,
  terminal: () => TerminalSize | undefined = () => undefined,
): ProgressDisplay {
  let drawn: readonly string[] = []
  const told = new Set<string>()
  return {
    show(states) {
      const size = terminal()
      if (size) {
        const lines = linesOf(states, size)
        write(redraw(drawn, lines, size))
        drawn = lines
        return
      }
      for (const [index, state] of states.entries()) {
        const key = `${index} ${state.status}`
        if (told.has(key)) continue
        told.add(key)
        write(`  ${state.status.padEnd(9)} ${textOf(state)}\n`)
      }
    },
  }
}

/**
 * Line by line: some terminals keep a screen that is erased at once in their history. A window that became narrower has
 * broken the lines of before.
 */
function redraw(before: readonly string[], lines: readonly string[], { columns }: TerminalSize): string {
  const taken = before.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(bare(line)) / columns)), 0)
  const left = Math.max(0, taken - lines.length)
  const up = (count: number) => (count > 0 ? `\u001b[${count}A` : '')
  return [
    up(taken),
    ...lines.map(line => `${eraseLine}${line}\n`),
    `${eraseLine}\n`.repeat(left),
    up(left),
  ].join('')
}

const eraseLine = '\u001b[2K'

function bare(line: string): string {
  return stripVTControlCharacters(line)
}

/** What has scrolled away cannot be drawn again: of too many states, the last ones. */
function linesOf(states: readonly StateProgress[], { columns, rows }: TerminalSize): readonly string[] {
  const shown = states.slice(-Math.max(1, rows - 2))
  const hidden = states.length - shown.length
  return [
    ...(hidden > 0 ? [cutToWidth(`  … ${hidden} states before`, columns)] : []),
    ...shown.map(
      state =>
        `  ${styleText(colours[state.status], marks[state.status])} ${cutToWidth(toTerminalText(textOf(state)), columns - 4)}`,
    ),
  ]
}

function textOf({ name, retries, items }: StateProgress): string {
  const retried = retries > 0 ? `  retried ${retries} ×` : ''
  const failed = items !== undefined && items.failed > 0 ? `, ${items.failed} failed` : ''
  const progress =
    items === undefined ? '' : `  ${bar(items.done, items.total)} ${items.done}/${items.total}${failed}`
  return `${name}${progress}${retried}`
}

function bar(done: number, total: number, width = 24): string {
  const filled = total === 0 ? width : Math.round((done / total) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}
