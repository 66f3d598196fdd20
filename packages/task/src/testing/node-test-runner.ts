import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from './expect.ts'
import type { TestFunction, TestRunner } from './test-runner.ts'

/** `node:test`, with as much of an `expect` as our suites need. */
export const nodeTestRunner: TestRunner = {
  describe,
  it: Object.assign(define, { each: defineEach }) as TestFunction,
  beforeAll: run => before(ignoringValue(run)),
  beforeEach: run => beforeEach(ignoringValue(run)),
  afterAll: run => after(ignoringValue(run)),
  expect,
}

function define(name: string, run: () => unknown): void {
  it(name, ignoringValue(run))
}

function defineEach<Value>(values: readonly Value[]) {
  return (name: string, run: (value: Value) => unknown): void => {
    for (const value of values) define(fillIn(name, value), () => run(value))
  }
}

function fillIn(name: string, value: unknown): string {
  return name.replace(/%[sj]/, form => (form === '%s' ? String(value) : JSON.stringify(value)))
}

function ignoringValue(run: () => unknown): () => Promise<void> {
  return async () => {
    await run()
  }
}
