import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Child, type Family } from './child.ts'

const family: Family = {
  arnPrefix: 'arn:aws:states:us-east-1:000000000000:execution:Machine/Each:',
  quotedArnPrefix: '',
  stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:Machine/Each',
  stateMachineName: 'Machine/Each',
  roleArn: 'role',
  namePrefix: '01234567-89ab-5def-a123-4567',
}

describe('Child', () => {
  it('is named by a UUID that is its own, and the same whenever it is asked for', () => {
    const index = fc.integer({ min: 0, max: 2 ** 32 - 1 })
    fc.assert(
      fc.property(index, index, (one, other) => {
        const { name, arn } = new Child(family, one, null, 1)
        expect(name).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)
        expect(arn).toBe(family.arnPrefix + name)
        expect(new Child(family, other, null, 1).name === name).toBe(one === other)
      }),
    )
  })

  it('names neighbours apart', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => new Child(family, index, null, 1).name)
    expect(new Set(names).size).toBe(10_000)
  })
})
