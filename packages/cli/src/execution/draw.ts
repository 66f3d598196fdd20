import { styleText } from 'node:util'
import type { TerminalSize } from '../io.ts'
import { cutToWidth } from '../text-width.ts'
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
  let drawn = 0
  const told = new Set<string>()
  return {
    show(states) {
      const size = terminal()
      if (size) {
        const lines = linesOf(states, size)
        const up = drawn > 0 ? `\u001b[${drawn}A\u001b[J` : ''
        write(up + lines.map(line => `${line}\n`).join(''))
        drawn = lines.length
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

/** What has scrolled away cannot be drawn again: of too many states, the last ones. */
function linesOf(states: readonly StateProgress[], { columns, rows }: TerminalSize): readonly string[] {
  const shown = states.slice(-Math.max(1, rows - 2))
  const hidden = states.length - shown.length
  return [
    ...(hidden > 0 ? [cutToWidth(`  … ${hidden} states before`, columns)] : []),
    ...shown.map(
      state =>
        `  ${styleText(colours[state.status], marks[state.status])} ${cutToWidth(textOf(state), columns - 4)}`,
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
