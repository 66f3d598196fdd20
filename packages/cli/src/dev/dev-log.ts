import { stripVTControlCharacters, styleText } from 'node:util'
import type { TerminalSize } from '../io.ts'
import { toTerminalText } from '../terminal-text.ts'
import { cutToWidth, widthOf } from '../text-width.ts'
import type { DevEvent } from './dev-event.ts'

export interface DevLogOptions {
  readonly write: (text: string) => void
  readonly colour: boolean
  /** The size of what `write` writes to, as it is now, where it is a terminal. */
  readonly terminal: () => TerminalSize | undefined
  /** `json`: a line for machines. `quiet`: only what stands in the way. */
  readonly mode: 'text' | 'json' | 'quiet'
  /** @default Date.now */
  readonly now?: () => number
}

const colours = { plain: 'cyan', good: 'green', warning: 'yellow', bad: 'red' } as const
const kindWidth = 'execution'.length
const nameWidth = 24
/** Below that, a line has no room for the time. */
const minColumnsWithTime = 60

/** Tells what happens, one line each. */
export function createDevLog({
  write,
  colour,
  terminal,
  mode,
  now = Date.now,
}: DevLogOptions): (event: DevEvent) => void {
  return event => {
    if (mode === 'json')
      write(`${JSON.stringify({ time: new Date(now()).toISOString(), kind: event.kind, ...event.facts })}\n`)
    else if (mode === 'text' || event.kind === 'problem')
      write(`${formatLine(event, new Date(now()), colour, terminal()?.columns)}\n`)
  }
}

/** One line, its columns below those of the line before; on a terminal as wide as that. */
function formatLine(
  { kind, name, text, mood }: DevEvent,
  time: Date,
  colour: boolean,
  columns: number | undefined,
): string {
  const paint = (style: Parameters<typeof styleText>[0], painted: string) =>
    colour ? styleText(style, painted, { validateStream: false }) : painted
  const isNarrow = columns !== undefined && columns < minColumnsWithTime
  const clock = isNarrow ? '' : `${time.toTimeString().slice(0, 8)}  `
  const width = columns === undefined ? nameWidth : Math.min(nameWidth, Math.floor(columns / 4))
  const named = padToWidth(columns === undefined ? name : cutToWidth(name, width), width)
  const said = oneLine(text)
  const left = columns === undefined ? said : cutToWidth(said, columns - clock.length - kindWidth - width - 4)
  return `${paint('dim', clock)}${paint(colours[mood], kind.padEnd(kindWidth))}  ${named}  ${left}`.trimEnd()
}

function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** Nothing that a function prints may move the cursor. */
function oneLine(text: string): string {
  return stripVTControlCharacters(toTerminalText(text)).replace(/[\t\n]+/g, ' ')
}
