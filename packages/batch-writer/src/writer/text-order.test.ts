import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textOrder } from './text-order.ts'

it('orders as sort does, whatever the texts begin with', () => {
  const unit = fc.constantFrom('a', 'b', '\u0000', 'ÿ', 'þ', 'Ā', '😀')
  const text = fc.oneof(fc.string({ unit, maxLength: 8 }), fc.string())
  fc.assert(
    fc.property(fc.array(text), fc.string(), (texts, prefix) => {
      const all = texts.map(each => prefix + each)
      const order = Array.from(textOrder(all))
      expect(order.map(index => all[index])).toEqual(all.toSorted())
      for (const [i, index] of order.entries()) {
        const before = order[i - 1] ?? -1
        if (all[before] === all[index]) expect(before).toBeLessThan(index)
      }
    }),
  )
})
