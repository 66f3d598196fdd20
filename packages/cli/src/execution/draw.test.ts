import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { cutToWidth, widthOf } from '../text-width.ts'
import { createProgressDisplay } from './draw.ts'
import type { StateProgress } from './progress.ts'

function states(count: number): StateProgress[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `State${index}`,
    status: 'running',
    retries: 0,
  }))
}

it('never draws a line that a narrow window would break, so that it can be drawn again', () => {
  const written: string[] = []
  const display = createProgressDisplay(
    text => written.push(text),
    () => ({ columns: 20, rows: 10 }),
  )
  const items = { done: 5, total: 10, failed: 0 }
  display.show([{ name: '受信者を取り込む', status: 'running', retries: 2, items }])
  display.show(states(1))
  expect(stripVTControlCharacters(written[0] ?? '')).toBe('  ▸ 受信者を取り込…\n')
  expect(written[1]).toBe('\u001b[1A\u001b[2K  ▸ State0\n')
})

const escapeCode = '\u001b'
const sequences = new RegExp(`${escapeCode}\\[(\\d+)A|(${escapeCode}\\[2K)|([^${escapeCode}\n]*\n?)`, 'g')

/** What a window of that size shows after all that was written, and what has left it at the top. */
function show(written: readonly string[], { columns, rows }: { columns: number; rows: number }) {
  let screen: string[] = ['']
  let scrolled = 0
  let row = 0
  for (const [, up, erase, text] of written.join('').matchAll(sequences)) {
    if (up !== undefined) row = Math.max(0, row - Number(up))
    else if (erase !== undefined) screen[row] = ''
    else if (text) {
      screen[row] += text.replace('\n', '')
      expect(widthOf(screen[row] ?? '')).toBeLessThanOrEqual(columns)
      if (!text.endsWith('\n')) continue
      row += 1
      screen[row] ??= ''
      if (row < rows) continue
      screen = screen.slice(1)
      row -= 1
      scrolled += 1
    }
  }
  return { screen: screen.filter(Boolean), scrolled }
}

it('draws 500 states in a window of 40 columns again and again, and leaves nothing behind', () => {
  const size = { columns: 40, rows: 12 }
  const written: string[] = []
  const display = createProgressDisplay(
    text => written.push(stripColours(text)),
    () => size,
  )
  const all = states(500).map(state => ({
    ...state,
    name: `${state.name} 受信者を取り込む and some more of it`,
  }))
  for (let count = 1; count <= 500; count += 7) display.show(all.slice(0, count))
  display.show(all)
  const { screen, scrolled } = show(written, size)
  expect(screen).toHaveLength(11)
  expect(screen[0]).toBe('  … 490 states before')
  expect(screen.at(-1)).toMatch(/^ {2}▸ State499 受信者.*…$/)
  expect(scrolled).toBe(0)
})

it('erases lines that there are no more, also after the window became narrower', () => {
  let size = { columns: 40, rows: 12 }
  const written: string[] = []
  const display = createProgressDisplay(
    text => written.push(stripColours(text)),
    () => size,
  )
  display.show([{ name: 'x'.repeat(36), status: 'running', retries: 0 }])
  size = { columns: 20, rows: 12 }
  display.show(states(1))
  expect(written[1]).toBe('\u001b[2A\u001b[2K  ▸ State0\n\u001b[2K\n\u001b[1A')
})

function stripColours(text: string): string {
  return text.replace(new RegExp(`${escapeCode}\\[\\d+m`, 'g'), '')
}

it('draws the last of many states', () => {
  const written: string[] = []
  const display = createProgressDisplay(
    text => written.push(text),
    () => ({ columns: 80, rows: 5 }),
  )
  display.show(states(50))
  const lines = stripVTControlCharacters(written[0] ?? '')
    .trimEnd()
    .split('\n')
  expect(lines).toEqual(['  … 47 states before', '  ▸ State47', '  ▸ State48', '  ▸ State49'])
})

it('tells each change once where there is no terminal', () => {
  let written = ''
  const display = createProgressDisplay(text => {
    written += text
  })
  display.show(states(1))
  display.show(states(2))
  expect(written).toBe('  running   State0\n  running   State1\n')
})

it.each([
  ['plain', 5, 'plain'],
  ['plain text', 5, 'plai…'],
  ['日本語', 6, '日本語'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['x', 0, ''],
])('cuts %s to %i columns', (text, columns, cut) => {
  expect(cutToWidth(text, columns)).toBe(cut)
})
