import { describe, expect, it } from 'vitest'
import { ResultFile } from './result-file.ts'

const texts = ['{"a":"ä"}', '2', JSON.stringify('€'.repeat(1_000_000))]

describe('ResultFile', () => {
  it('is a list, of texts of any length, and begins anew when it was taken', () => {
    const file = new ResultFile(false)
    expect(file.take()).toBeUndefined()
    for (const text of texts) file.add(text)
    const whole = `[${texts.join(',')}]`
    expect(file.bytes).toBe(Buffer.byteLength(whole) - 1)
    expect(Buffer.from(file.take() ?? []).toString()).toBe(whole)
    file.add('1')
    expect(Buffer.from(file.take() ?? []).toString()).toBe('[1]')
  })

  it('is lines', () => {
    const file = new ResultFile(true)
    for (const text of texts) file.add(text)
    expect(Buffer.from(file.take() ?? []).toString()).toBe(`${texts.join('\n')}\n`)
  })
})
