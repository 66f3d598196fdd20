import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { offsetOf } from './document.ts'
import { lineEdits } from './line-edits.ts'

function apply(text: string, edits: ReturnType<typeof lineEdits>): string {
  return edits
    .toReversed()
    .reduce(
      (all, { range, newText }) =>
        all.slice(0, offsetOf({ text }, range.start)) + newText + all.slice(offsetOf({ text }, range.end)),
      text,
    )
}

describe('lineEdits', () => {
  it('makes one text of another', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
      .map(lines => lines.join('\n'))
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        expect(apply(before, lineEdits(before, after))).toBe(after)
      }),
    )
  })

  it('leaves the lines between two changes alone', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`)
    const changed = lines.flatMap((line, index) =>
      index === 20 ? [] : index === 80 ? [line, 'new'] : [line],
    )
    expect(lineEdits(lines.join('\n'), changed.join('\n'))).toEqual([
      { range: { start: { line: 20, character: 0 }, end: { line: 21, character: 0 } }, newText: '' },
      { range: { start: { line: 81, character: 0 }, end: { line: 81, character: 0 } }, newText: 'new\n' },
    ])
  })

  it('takes texts of which nothing stays', () => {
    const before = Array.from({ length: 5000 }, (_, index) => `old ${index}`).join('\n')
    expect(lineEdits(before, 'new')).toHaveLength(1)
    expect(apply(before, lineEdits(before, 'new'))).toBe('new')
  })
})
