import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from './test/run-main.ts'

/** Inside this package, where what the app imports is installed. */
const cache = join(import.meta.dirname, '../.cache')
let folder = ''
beforeAll(() => {
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'start '))
  cpSync(join(import.meta.dirname, '../test/greeter'), folder, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true }))

function start(...args: string[]) {
  return runMain(folder, [...args, '--config', 'greeter.config.ts'])
}

describe.each([
  ['run', 'greeting'],
  ['dev', '--no-console'],
])('stepwright %s', { timeout: 60_000 }, (...args) => {
  it('says what the checker says about an invalid definition, and where', async () => {
    const text = '{\n  "StartAt": "Gret",\n  "States": { "Greet": { "Type": "Pass", "End": true } }\n}\n'
    writeFileSync(join(folder, 'greeting.asl.json'), text)
    const { code, error } = await start(...args)
    expect({ code, error }).toEqual({
      code: 2,
      error: `stepwright: The app cannot start.

error There is no state "Gret" here.
  greeting.asl.json:2:14 /StartAt  valid/transition
  1 │ {
  2 │   "StartAt": "Gret",
    │              ^^^^^^
  3 │   "States": { "Greet": { "Type": "Pass", "End": true } }
  → Did you mean "Greet"?

1 error in 1 state machine. "stepwright check --explain RULE" says more about a rule.
`,
    })
  })

  it('names a definition that is not there', async () => {
    rmSync(join(folder, 'greeting.asl.json'), { force: true })
    const { code, error } = await start(...args)
    expect(code).toBe(2)
    expect(error).toBe(
      `stepwright: ${join(folder, 'greeter.config.ts')} names greeting.asl.json, but there is no such file.\n`,
    )
  })
})

describe('stepwright dev', () => {
  it('names a function whose module imports what is not there, from the start', async () => {
    cpSync(join(import.meta.dirname, '../test/greeter'), folder, { recursive: true })
    writeFileSync(join(folder, 'handlers.ts'), "export { greet, ask } from './nowhere.ts'\n")
    const { lookAtDeclaration } = await import('./dev/declaration.ts')
    expect(await lookAtDeclaration(join(folder, 'greeter.config.ts'))).toEqual({
      module: 'handlers.ts',
      problem: expect.stringMatching(
        /^Error: Cannot find module '.*nowhere\.ts' imported from .*handlers\.ts$/,
      ),
    })
  })
})
