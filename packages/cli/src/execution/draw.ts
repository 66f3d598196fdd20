import { styleText } from 'node:util'
import type { StateProgress } from './progress.ts'

export interface ProgressDisplay {
  show(states: readonly StateProgress[]): void
}

const marks = { running: '▸', succeeded: '✔', caught: '↷', failed: '✘' } as const
const colours = { running: 'cyan', succeeded: 'green', caught: 'yellow', failed: 'red' } as const

/** On a terminal one line a state, drawn again as it goes on; elsewhere a line whenever a state begins or ends. */
export function createProgressDisplay(write: (text: string) => void, terminal: boolean): ProgressDisplay {
  let drawn = 0
  const told = new Set<string>()
  return {
    show(states) {
      if (terminal) {
        const up = drawn > 0 ? `\u001b[${drawn}A` : ''
        write(up + states.map(state => `\u001b[2K${lineOf(state, terminal)}\n`).join(''))
        drawn = states.length
        return
      }
      for (const [index, state] of states.entries()) {
        const key = `${index} ${state.status}`
        if (told.has(key)) continue
        told.add(key)
        write(`${lineOf(state, terminal)}\n`)
      }
    },
  }
}

function lineOf({ name, status, retries, items }: StateProgress, terminal: boolean): string {
  const mark = terminal ? styleText(colours[status], marks[status]) : `${status.padEnd(9)}`
  const retried = retries > 0 ? `  retried ${retries} ×` : ''
  const failed = items !== undefined && items.failed > 0 ? `, ${items.failed} failed` : ''
  const progress =
    items === undefined ? '' : `  ${bar(items.done, items.total)} ${items.done}/${items.total}${failed}`
  return `  ${mark} ${name}${progress}${retried}`
}

function bar(done: number, total: number, width = 24): string {
  const filled = total === 0 ? width : Math.round((done / total) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}
