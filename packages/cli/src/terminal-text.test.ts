import { describe, expect, it } from 'vitest'
import type { Io } from './io.ts'
import { guardTerminal, toTerminalText } from './terminal-text.ts'

describe('toTerminalText', () => {
  it.each([
    ['a title', 'a\u001b]0;owned\u0007b', 'ab'],
    ['a link', 'a\u001b]8;;http://x\u001b\\here\u001b]8;;\u001b\\b', 'ahereb'],
    ['the clipboard', '\u001b]52;c;cm0gLXJm\u0007', ''],
    ['the cursor', 'a\u001b[2J\u001b[1;1H\u001b[3A\u001b[2Kb', 'ab'],
    ['a device string', 'a\u001bP+q544e\u001b\\b', 'ab'],
    ['a sequence without an end', 'a\u001b]0;', 'a'],
    ['one-byte controls', 'a\u0008\u009b2J\u009d0;x\u009c\u0085\u007f\rb', 'a2J0;xb'],
    ['colours, tabs and line ends', '\u001b[31;1mred\u001b[0m\tand\n', '\u001b[31;1mred\u001b[0m\tand\n'],
    ['text', '日本語 €', '日本語 €'],
  ])('handles %s', (_, given, shown) => {
    expect(toTerminalText(given)).toBe(shown)
  })

  it('takes linear time', () => {
    expect(toTerminalText('\u001b]'.repeat(200_000))).toBe('')
    expect(toTerminalText('\u001b['.repeat(200_000))).toBe('')
  })
})

describe('guardTerminal', () => {
  const evil = '\u001b]0;x\u0007y'
  function printed(args: readonly string[], isTerminal: boolean): string[] {
    const written: string[] = []
    const size = () => (isTerminal ? { columns: 80, rows: 24 } : undefined)
    const io: Io = {
      cwd: '.',
      colour: false,
      out: text => written.push(text),
      error: text => written.push(text),
      terminal: size,
      screen: size,
      interrupted: async () => {},
    }
    const guarded = guardTerminal(io, args)
    guarded.out(evil)
    guarded.error(evil)
    return written
  }

  it('keeps a terminal from obeying what it prints, and files as they are', () => {
    expect(printed([], true)).toEqual(['y', 'y'])
    expect(printed([], false)).toEqual([evil, evil])
    expect(printed(['--json'], true)).toEqual([evil, evil])
  })
})
