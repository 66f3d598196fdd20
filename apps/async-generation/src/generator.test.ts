import { describe, expect, it } from 'vitest'
import { answers } from './generator.ts'

function itemsOf(...items: string[]) {
  return answers.tasks.safeParse({ items: [...items, 'b', 'c'] })
}

describe('an item of an answer', () => {
  it('becomes one line', () => {
    expect(itemsOf(' Buy\n\t milk \u0085 and  bread ').data?.items[0]).toBe('Buy milk and  bread')
  })

  it('is read in linear time, whatever the model wrote', { timeout: 2000 }, () => {
    expect(itemsOf(`a${' '.repeat(300_000)}b`).success).toBe(false)
  })
})
