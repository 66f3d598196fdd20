import { AssertionError, deepStrictEqual } from 'node:assert'
import { inspect } from 'node:util'
import type { Expect, Expectation, Matchers } from './test-runner.ts'

/** Stands for any value that matches. */
class Placeholder {
  readonly matches: (actual: unknown) => boolean
  readonly description: string

  constructor(description: string, matches: (actual: unknown) => boolean) {
    this.description = description
    this.matches = matches
  }
}

type Judgements = { readonly [Name in keyof Matchers<void>]: (actual: unknown, expected: never) => boolean }

const judgements: Judgements = {
  toBe: (actual, expected) => Object.is(actual, expected),
  toBeDefined: actual => actual !== undefined,
  toBeGreaterThan: (actual, expected: number) => Number(actual) > expected,
  toBeLessThan: (actual, expected: number) => Number(actual) < expected,
  toBeUndefined: actual => actual === undefined,
  toEqual: (actual, expected) => isEqual(...comparable(actual, expected, false)),
  toHaveLength: (actual, expected: number) => (actual as { length?: unknown } | null)?.length === expected,
  toHaveProperty: (actual, expected: string) =>
    typeof actual === 'object' && actual !== null && expected in actual,
  toMatchObject: (actual, expected) => isEqual(...comparable(actual, expected, true)),
  toThrow: (actual, expected: Parameters<Matchers<void>['toThrow']>[0]) =>
    isError(thrownBy(actual), expected),
}

/** As much of Jest's `expect` as our suites need, over `node:assert`. */
export const expect: Expect = Object.assign(
  (actual: unknown): Expectation => ({
    ...matchers((name, expected) => judge(actual, name, expected, true)),
    not: matchers((name, expected) => judge(actual, name, expected, false)),
    rejects: matchers(async (name, expected) => judge(await rejectionOf(actual), name, expected, true)),
  }),
  {
    any: (type: unknown) =>
      new Placeholder(`any ${(type as { name: string }).name}`, actual => isOfType(actual, type)),
    stringContaining: (part: string) =>
      new Placeholder(`text with ${JSON.stringify(part)}`, actual => String(actual).includes(part)),
  },
)

function matchers<Result>(run: (name: keyof Judgements, expected: unknown) => Result): Matchers<Result> {
  const names = Object.keys(judgements) as (keyof Judgements)[]
  const entries = names.map(name => [name, (expected?: unknown) => run(name, expected)])
  return Object.fromEntries(entries) as Matchers<Result>
}

function judge(actual: unknown, name: keyof Judgements, expected: unknown, wanted: boolean): void {
  if (judgements[name](actual, expected as never) === wanted) return
  const message = `expected ${inspect(actual, { depth: 6 })} ${wanted ? '' : 'not '}${name} ${inspect(expected, { depth: 6 })}`
  throw new AssertionError({ message, actual, expected, operator: name })
}

async function rejectionOf(promise: unknown): Promise<unknown> {
  let value: unknown
  try {
    value = await promise
  } catch (error) {
    return error
  }
  throw new AssertionError({ message: `expected a rejection, not ${inspect(value)}`, actual: value })
}

function thrownBy(actual: unknown): unknown {
  if (typeof actual !== 'function') return actual
  try {
    actual()
  } catch (error) {
    return error
  }
  return undefined
}

function isError(error: unknown, expected: Parameters<Matchers<void>['toThrow']>[0]): boolean {
  if (!(error instanceof Error)) return false
  if (expected === undefined) return true
  if (typeof expected === 'string') return error.message.includes(expected)
  return expected instanceof RegExp ? expected.test(error.message) : error instanceof expected
}

function isOfType(actual: unknown, type: unknown): boolean {
  if (type === Number) return typeof actual === 'number'
  if (type === String) return typeof actual === 'string'
  return actual instanceof (type as new () => unknown)
}

function isEqual(actual: unknown, expected: unknown): boolean {
  try {
    deepStrictEqual(actual, expected)
    return true
  } catch {
    return false
  }
}

/** Both sides with only what is to be compared: no undefined properties, or none but the expected ones. */
function comparable(actual: unknown, expected: unknown, partial: boolean): [unknown, unknown] {
  if (expected instanceof Placeholder) {
    return expected.matches(actual) ? [true, true] : [actual, expected.description]
  }
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length) {
    const pairs = actual.map((each, index) => comparable(each, expected[index], partial))
    return [pairs.map(([each]) => each), pairs.map(([, each]) => each)]
  }
  if (!isRecord(actual) || !isRecord(expected)) return [actual, expected]
  const names = Object.keys(partial ? expected : { ...actual, ...expected }).filter(
    name => actual[name] !== undefined || expected[name] !== undefined,
  )
  const pairs = names.map(name => [name, comparable(actual[name], expected[name], partial)] as const)
  return [
    Object.fromEntries(pairs.map(([name, [each]]) => [name, each])),
    Object.fromEntries(pairs.map(([name, [, each]]) => [name, each])),
  ]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return value instanceof Error || /^\[object Object\]$/.test(Object.prototype.toString.call(value))
}
