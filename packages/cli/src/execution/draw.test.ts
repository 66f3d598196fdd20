import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { cutToWidth } from '../text-width.ts'
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
  expect(written[1]).toContain('\u001b[1A\u001b[J')
})

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
