import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collect } from './collect.ts'
import { readElements, readLines } from './json-values.ts'

async function* cut(text: string, pieceBytes: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

describe('readElements and readLines', () => {
  it('give back any values, wherever the stream is cut', async () => {
    const values = fc.array(fc.jsonValue().filter(value => !Object.is(value, -0)))
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 9 }), fc.nat(2), async (all, pieceBytes, indent) => {
        const elements = await collect(readElements(cut(JSON.stringify(all, null, indent), pieceBytes)))
        expect(elements.map(text => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(all)))
        const lines = all.map(value => `${JSON.stringify(value)}\n`).join('')
        const read = await collect(readLines(cut(lines, pieceBytes)))
        expect(read.map(text => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(all)))
      }),
    )
  })
})
