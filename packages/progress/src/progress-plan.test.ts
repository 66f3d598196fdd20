import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createProgressPlan } from './progress-plan.ts'

describe('createProgressPlan', () => {
  it('knows two steps of half the work each', () => {
    const run = createProgressPlan({ generate: 50, save: 50 }).start()
    expect(run.percent).toBe(0)
    expect(run.done('generate')).toBe(50)
    expect(run.done('save')).toBe(100)
  })

  it('cuts the parts off eight steps of 12.5', () => {
    const run = createProgressPlan({ subgoal: { weight: 12.5, times: 8 } }).start()
    expect(Array.from({ length: 8 }, () => run.done('subgoal'))).toEqual([12, 25, 37, 50, 62, 75, 87, 100])
  })

  it('cuts the parts off sixty-four steps of 1.5625', () => {
    const run = createProgressPlan({ action: { weight: 1.5625, times: 64 } }).start()
    const percents = Array.from({ length: 64 }, () => run.done('action'))
    expect(percents.slice(0, 4)).toEqual([1, 3, 4, 6])
    expect(percents.slice(-3)).toEqual([96, 98, 100])
  })

  it('takes parts of a step and steps in any order', () => {
    const plan = createProgressPlan({ read: 1, write: 3 })
    expect(plan.percent({ read: 0.5 })).toBe(12)
    expect(plan.percent({ write: 1 })).toBe(75)
    expect(plan.percent({})).toBe(0)
  })

  it('gives 100 when all is done and never before, only whole numbers, never less than before', () => {
    const steps = fc.dictionary(
      fc.string({ minLength: 1 }),
      fc.record({
        weight: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        times: fc.integer({ min: 1, max: 50 }),
      }),
      { minKeys: 1, maxKeys: 5 },
    )
    fc.assert(
      fc.property(steps, fc.infiniteStream(fc.nat()), (plan, order) => {
        const run = createProgressPlan(plan).start()
        const left = Object.entries(plan).flatMap(([name, { times }]) => Array<string>(times).fill(name))
        let before = 0
        while (left.length > 0) {
          const [name] = left.splice((order.next().value ?? 0) % left.length, 1)
          const percent = run.done(name as string)
          expect(Number.isInteger(percent)).toBe(true)
          expect(percent).toBeGreaterThanOrEqual(before)
          expect(percent === 100).toBe(left.length === 0)
          before = percent
        }
      }),
    )
  })

  it('refuses a plan without sense', () => {
    expect(() => createProgressPlan({})).toThrow('at least one step')
    expect(() => createProgressPlan({ a: 0 })).toThrow('step a')
    expect(() => createProgressPlan({ a: Number.NaN })).toThrow('step a')
    expect(() => createProgressPlan({ a: { weight: 1, times: 1.5 } })).toThrow('step a')
  })
})
