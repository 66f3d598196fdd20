import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createChainRuns } from './chain-runs.ts'
import type { PackHead } from './pack-record.ts'

function chain(writer: string, blocks: number): PackHead[] {
  return Array.from({ length: blocks }, (_, number) => ({
    executionId: 'run',
    packKey: `${number}`,
    ...{ writer, number, first: number * 3, count: 3, index: '', lastItem: 0, keyId: 'k1' },
    previous: number === 0 ? '' : `${writer}${number - 1}`,
    mac: `${writer}${number}`,
  }))
}

const shuffled = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).chain(([a, b]) => {
  const blocks = [...chain('a', a), ...chain('b', b)]
  return fc.tuple(fc.constant([a, b]), fc.shuffledSubarray(blocks, { minLength: blocks.length }))
})

describe('createChainRuns', () => {
  it('tells what chains have come to, in whatever order their blocks come, also elsewhere', () => {
    fc.assert(
      fc.property(shuffled, fc.nat(), ([[a = 0, b = 0], blocks], at) => {
        let runs = createChainRuns()
        for (const [index, block] of blocks.entries()) {
          if (index === at % blocks.length) runs = createChainRuns(JSON.parse(JSON.stringify(runs)))
          runs.add(block)
        }
        expect(runs.heads().toSorted((one, other) => (one.writer < other.writer ? -1 : 1))).toEqual([
          { writer: 'a', blocks: a, entries: a * 3, head: `a${a - 1}` },
          { writer: 'b', blocks: b, entries: b * 3, head: `b${b - 1}` },
        ])
      }),
    )
  })

  it('finds a gap, a block of a number that another has, and one that does not follow', () => {
    fc.assert(
      fc.property(shuffled, fc.nat(), ([[a = 0], blocks], nat) => {
        const number = nat % a
        const of = (given: readonly PackHead[]) => () => {
          const runs = createChainRuns()
          for (const block of given) runs.add(block)
          runs.heads()
        }
        const isIt = (block: PackHead): boolean => block.writer === 'a' && block.number === number
        if (number < a - 1) expect(of(blocks.filter(block => !isIt(block)))).toThrow('has a gap')
        expect(of([...blocks, ...blocks.filter(isIt)])).toThrow('two blocks of one number')
        const changed = (given: object): PackHead[] =>
          blocks.map(block => (isIt(block) ? { ...block, ...given } : block))
        expect(of(changed({ previous: 'x' }))).toThrow('does not follow')
        expect(of(changed({ first: number * 3 + 1 }))).toThrow('does not follow')
        if (number < a - 1) expect(of(changed({ mac: 'x' }))).toThrow('does not follow')
      }),
    )
  })
})
