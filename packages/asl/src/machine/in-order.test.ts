import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inOrder } from './in-order.ts'
import { buildMachine, type Scope } from './machine.ts'

function machineOf(nexts: readonly (readonly number[])[]): Scope {
  const states = Object.fromEntries(
    nexts.map((targets, index) => [
      `${index}`,
      { Type: 'Choice', Choices: targets.map(target => ({ Next: `${target}` })) },
    ]),
  )
  return buildMachine({ StartAt: '0', States: states }) as Scope
}

function reachedFrom(scope: Scope, name: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const queue = [name]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const { to } of scope.states.get(next)?.edges ?? []) {
      if (scope.states.has(to) && !reached.has(to)) {
        reached.add(to)
        queue.push(to)
      }
    }
  }
  return reached
}

describe('inOrder', () => {
  it('puts the states of a loop together, and what they lead to behind them', () => {
    const nexts = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(nexts, targets => {
        const scope = machineOf(targets)
        const groups = inOrder(scope).map(group => group.map(({ name }) => name))
        expect(groups.flat().sort()).toEqual([...new Set(['0', ...reachedFrom(scope, '0')])].sort())
        groups.forEach((group, index) => {
          const later = new Set(groups.slice(index).flat())
          for (const name of group) {
            const reached = reachedFrom(scope, name)
            expect([...reached].filter(each => !later.has(each))).toEqual([])
            if (group.length > 1) expect(group.filter(each => !reached.has(each))).toEqual([])
          }
          for (const name of groups.slice(index + 1).flat())
            expect(group.filter(each => reachedFrom(scope, name).has(each))).toEqual([])
        })
      }),
      { numRuns: 300 },
    )
  })

  it('puts the states of a loop one after another', () => {
    expect(
      inOrder(machineOf([[1], [2, 4], [3], [1], []])).map(group => group.map(each => each.name)),
    ).toEqual([['0'], ['1', '2', '3'], ['4']])
  })
})
