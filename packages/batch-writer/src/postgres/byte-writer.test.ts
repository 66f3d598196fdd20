import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteWriter } from './byte-writer.ts'

describe('ByteWriter', () => {
  it('writes the same whenever it has to grow', () => {
    const write = (capacity: number): Buffer => {
      const out = new ByteWriter(Buffer.alloc(capacity))
      out.int8(7)
      out.int16(-2)
      out.int32(0x01020304)
      out.bytes(Buffer.from([9, 8, 7]))
      out.utf8('short')
      out.utf8('größer')
      out.utf8('x'.repeat(50))
      out.int8(255)
      out.int32At(3, 1)
      return out.done()
    }
    const expected = Buffer.concat([
      Buffer.from([7, 0xff, 0xfe, 0, 0, 0, 1, 9, 8, 7]),
      Buffer.from(`shortgrößer${'x'.repeat(50)}`),
      Buffer.from([255]),
    ])
    for (let capacity = 1; capacity < 300; capacity += 1) expect(write(capacity)).toEqual(expected)
  })

  it('writes a text as UTF-8 has it, however short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), text => {
        const out = new ByteWriter(Buffer.alloc(1))
        expect(out.utf8(text)).toBe(true)
        expect(out.done()).toEqual(Buffer.from(text))
      }),
    )
  })

  it('writes nothing for half a surrogate pair', () => {
    const out = new ByteWriter(Buffer.alloc(8))
    expect(out.utf8('a\ud800')).toBe(false)
    expect(out.length).toBe(0)
  })
})
