import { describe, expect, it } from 'vitest'
import { createKeySet } from './key-set.ts'

describe('createKeySet', () => {
  it('knows every key again, and no other, while it grows', () => {
    const set = createKeySet(64 * 1024 * 1024)
    const key = (index: number): string => `user${index}@example.jp`
    for (let index = 0; index < 200_000; index += 1) expect(set.add(key(index))).toBe(false)
    for (let index = 0; index < 200_000; index += 7) expect(set.add(key(index))).toBe(true)
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
