import type { Io } from './io.ts'

const [esc, bell, end] = ['\u001b', '\u0007', '\u009c']
const colour = String.raw`${esc}\[[\d;]*m`
/** Sequences with parameters, texts for the terminal up to their end, and all of two characters. */
const sequences = [
  String.raw`${esc}\[[\d;?]*[ -/]*[@-~]`,
  String.raw`${esc}[\]PX^_][^${bell}${esc}${end}]*(?:${bell}|${esc}\\|${end})?`,
  `${esc}[ -~]?`,
]
const controls = '[\u0000-\u0008\u000b-\u001f\u007f-\u009f]'
const obeyed = new RegExp([`(${colour})`, ...sequences, controls].join('|'), 'g')

/**
 * Text without what a terminal would obey: titles, links, the clipboard, the cursor. Names and causes come from others.
 * Colours stay, tabs and line ends too.
 */
export function toTerminalText(text: string): string {
  return text.replaceAll(obeyed, (_, kept: string | undefined) => kept ?? '')
}

/** Writes only such text where it goes to a terminal. What is asked for as JSON stays as it is. */
export function guardTerminal(io: Io, args: readonly string[]): Io {
  if (args.includes('--json')) return io
  return {
    ...io,
    out: text => io.out(io.screen?.() ? toTerminalText(text) : text),
    error: text => io.error(io.terminal?.() ? toTerminalText(text) : text),
    draw: io.error,
  }
}
