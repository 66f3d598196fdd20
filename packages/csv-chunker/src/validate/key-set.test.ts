import { describe, expect, it } from 'vitest'
import { createKeySet } from './key-set.ts'

describe('createKeySet', () => {
  it('knows every key again, and no other, while it grows', () => {
    const set = createKeySet(64 * 1024 * 1024)
    const key = (index: number): string => `user${index}@example.jp`
    const wrong: number[] = []
    for (let index = 0; index < 200_000; index += 1) if (set.add(key(index)) !== false) wrong.push(index)
    for (let index = 0; index < 200_000; index += 7) if (set.add(key(index)) !== true) wrong.push(index)
    expect(wrong).toEqual([])
    for (const odd of ['', '\0', 'é', '日本']) {
      expect(set.add(odd)).toBe(false)
      expect(set.add(odd)).toBe(true)
    }
  })

  it('says so when its memory is full', () => {
    const set = createKeySet(8192)
    const answers = Array.from({ length: 2000 }, (_, index) => set.add(String(index)))
    expect(answers.indexOf(undefined)).toBeGreaterThan(500)
    expect(answers.at(-1)).toBeUndefined()
  })
})
