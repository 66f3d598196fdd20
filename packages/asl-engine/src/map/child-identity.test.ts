import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChildIdentity, type Family } from './child-identity.ts'

const family: Family = {
  arnPrefix: 'arn:aws:states:us-east-1:000000000000:execution:Machine/Each:',
  quotedArnPrefix: '',
  stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:Machine/Each',
  stateMachineName: 'Machine/Each',
  roleArn: 'role',
  namePrefix: '01234567-89ab-5def-a123-4567',
}

describe('ChildIdentity', () => {
  it('is named by a UUID that is its own, and the same whenever it is asked for', () => {
    const index = fc.integer({ min: 0, max: 2 ** 32 - 1 })
    fc.assert(
      fc.property(index, index, (one, other) => {
        const { name, arn } = new ChildIdentity(family, one)
        expect(name).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)
        expect(arn).toBe(family.arnPrefix + name)
        expect(new ChildIdentity(family, other).name === name).toBe(one === other)
      }),
    )
  })

  it('names neighbours apart', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => new ChildIdentity(family, index).name)
    expect(new Set(names).size).toBe(10_000)
  })
})
