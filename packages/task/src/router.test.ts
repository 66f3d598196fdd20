import { defineBusinessError } from '@stepwright/errors'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod/mini'
import { defineTask } from './define-task.ts'
import { describeTask } from './describe-task.ts'
import { routeTasks } from './router.ts'

class NotACsv extends defineBusinessError('NotACsv') {}

const validate = defineTask({
  name: 'validate',
  input: z.object({ key: z.string() }),
  output: z.object({ isValid: z.boolean() }),
  errors: [NotACsv],
  run: ({ key }, { files }: { files: readonly string[] }) => {
    if (!files.includes(key)) throw new NotACsv(`${key} is no CSV`)
    return { isValid: true }
  },
})
const audit = defineTask({
  name: 'audit',
  input: z.object({ logType: z.string() }),
  output: z.object({ logged: z.string() }),
  errors: [],
  run: ({ logType }, { prefix }: { prefix: string }) => ({ logged: prefix + logType }),
})
const router = routeTasks({
  name: 'csv-processor',
  field: 'eventType',
  routes: { CSV_VALIDATION: validate, AUDIT_LOGGING: audit },
})
const ports = { files: ['a.csv'], prefix: '> ' }

describe('routeTasks', () => {
  it("runs the task that the field names, with all tasks' ports", async () => {
    expect(await router.run({ eventType: 'CSV_VALIDATION', key: 'a.csv' }, ports)).toEqual({ isValid: true })
    expect(await router.run({ eventType: 'AUDIT_LOGGING', logType: 'SUCCESS' }, ports)).toEqual({
      logged: '> SUCCESS',
    })
    expectTypeOf(router.run).parameter(1).toEqualTypeOf<{ files: readonly string[] } & { prefix: string }>()
  })

  it('stops a route that takes longer than it may, whatever the function may', async () => {
    const common = {
      input: z.object({ do: z.string() }),
      output: z.object({ leftMs: z.number() }),
      errors: [],
    }
    const slow = defineTask({ ...common, name: 'slow', run: () => new Promise<never>(() => {}) })
    const fast = defineTask({
      ...common,
      name: 'fast',
      run: (_, __, { remainingMs }) => ({ leftMs: remainingMs() }),
    })
    const maxSeconds = { slow: 0.05, fast: 5 }
    const limited = routeTasks({ name: 'x', field: 'do', routes: { slow, fast }, maxSeconds })
    expect(describeTask(limited).routes).toMatchObject({
      slow: { maxSeconds: 0.05 },
      fast: { maxSeconds: 5 },
    })
    await expect(limited.run({ do: 'slow' })).rejects.toMatchObject({ name: 'TaskTimeoutError' })
    expect(await limited.run({ do: 'fast' }, {}, { now: () => 7 })).toEqual({ leftMs: 5000 })
    expect(await limited.run({ do: 'fast' }, {}, { remainingMs: () => 9 })).toEqual({ leftMs: 9 })
  })

  it.each([
    [
      { eventType: 'CSV_VALIDATOIN' },
      'eventType is "CSV_VALIDATOIN"; csv-processor knows CSV_VALIDATION, AUDIT_LOGGING',
    ],
    [{ eventType: 'toString' }, 'eventType is "toString"'],
    [{ eventType: 7 }, 'eventType is 7'],
    [{}, 'eventType is missing'],
    [null, 'eventType is missing'],
    ['text', 'eventType is missing'],
  ])('refuses %j and lists what it knows', async (input, message) => {
    await expect(router.run(input as never, ports)).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(message),
      details: { field: 'eventType', known: ['CSV_VALIDATION', 'AUDIT_LOGGING'] },
    })
  })

  it('knows its own field where a caller refuses fields that no schema knows', async () => {
    const known: unknown[] = []
    const onInput = (given: unknown, parsed: unknown) => known.push(given, parsed)
    const input = { eventType: 'CSV_VALIDATION' as const, key: 'a.csv' }
    await router.run(input, ports, { onInput })
    expect(known).toEqual([input, input])
  })

  it('fails as its tasks do, and declares their errors and its own', async () => {
    await expect(router.run({ eventType: 'CSV_VALIDATION', key: 'b' }, ports)).rejects.toMatchObject({
      name: 'NotACsv',
    })
    const { errors, routes } = describeTask(router)
    expect(errors.map(error => error.name)).toEqual(expect.arrayContaining(['ValidationError', 'NotACsv']))
    expect(routes?.['AUDIT_LOGGING']?.errors.map(error => error.name)).not.toContain('NotACsv')
  })
})
