import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as engine from './index.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

/** The first example, with its import taken from here and its output collected. */
async function runExample(): Promise<unknown[]> {
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const body = code.replace(/^import .*$/m, '')
  const printed: unknown[] = []
  const names = Object.keys(engine)
  const run = new Function(...names, 'console', `return (async () => {${body}})()`)
  await run(...Object.values(engine), { log: (value: unknown) => printed.push(value) })
  return printed
}

describe('the README', () => {
  it('shows what happens', async () => {
    expect(await runExample()).toEqual([{ status: 'SUCCEEDED', output: { charged: { euros: 12 } } }, 15])
  })
})
