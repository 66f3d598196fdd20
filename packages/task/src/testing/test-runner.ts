/** What a suite of ours needs of a test runner: Vitest and Jest have it, and `nodeTestRunner` makes it of `node:test`. */
export interface TestRunner {
  describe(name: string, define: () => void): unknown
  readonly it: TestFunction
  beforeAll(run: () => unknown, timeoutMs?: number): unknown
  beforeEach(run: () => unknown, timeoutMs?: number): unknown
  afterAll(run: () => unknown, timeoutMs?: number): unknown
  readonly expect: Expect
}

export interface TestFunction {
  (name: string, run: () => unknown, timeoutMs?: number): unknown
  /** One test for each value; `%s` and `%j` in the name stand for it. */
  each<Value>(values: readonly Value[]): (name: string, run: (value: Value) => unknown) => unknown
}

export interface Expect {
  (actual: unknown): Expectation
  any(type: unknown): unknown
  stringContaining(part: string): unknown
}

export interface Expectation extends Matchers<void> {
  readonly not: Matchers<void>
  /** Of a promise, about what it is rejected with. */
  readonly rejects: Matchers<Promise<void>>
}

/** As in Jest. */
export interface Matchers<Result> {
  toBe(expected: unknown): Result
  toBeDefined(): Result
  toBeGreaterThan(expected: number): Result
  toBeLessThan(expected: number): Result
  toBeUndefined(): Result
  /** Deeply; properties that are undefined count as absent. */
  toEqual(expected: unknown): Result
  toHaveLength(expected: number): Result
  toHaveProperty(name: string): Result
  /** Deeply, of the properties that are named. */
  toMatchObject(expected: unknown): Result
  /** A function throws, or a promise is rejected with, an error of this message or class. */
  toThrow(expected?: string | RegExp | (abstract new (...args: never[]) => Error)): Result
}
