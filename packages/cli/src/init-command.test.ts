import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runMain } from './test/run-main.ts'

/** Inside this package, where what the example imports is installed. */
const cache = join(import.meta.dirname, '../.cache')
let folder = ''
beforeEach(() => {
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'init '))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text)
}
function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

describe('stepwright init', { timeout: 60_000 }, () => {
  it('adds an example that is sound and runs, to a project of any kind of modules', async () => {
    for (const type of ['module', 'commonjs']) {
      write(
        'package.json',
        `{\n\t"name": "@acme/Shop",\n\t"type": "${type}",\n\t"scripts": { "dev:workflows": "mine" }\n}`,
      )
      const { code, out } = await runMain(folder, ['init'])
      expect(code).toBe(0)
      const extension = type === 'module' ? 'ts' : 'mts'
      expect(out).toContain(`wrote  stepwright/app.${extension}\n`)
      expect(out).toContain('added  check:workflows to the scripts of package.json\n')
      expect(out).toContain('  npm install @stepwright/app @stepwright/errors')
      expect(out).toContain('  npm install --save-dev @stepwright/cli')
      expect(JSON.parse(read('package.json')).scripts).toEqual({
        'dev:workflows': 'mine',
        'check:workflows': 'stepwright check',
      })
      expect(read('package.json')).toMatch(/^\{\n\t"name"/)
      const checked = await runMain(folder, ['check', '--fail-on', 'info'])
      expect(checked.out).toContain('1 state machine checked, nothing found')
      rmSync(join(folder, 'stepwright'), { recursive: true })
      rmSync(join(folder, `stepwright.config.${extension}`))
    }
  })

  it('runs what it wrote', async () => {
    write('package.json', '{ "name": "shop", "type": "module" }')
    await runMain(folder, ['init'])
    const example = await runMain(folder, ['run', 'greeting', '--example'])
    write('input.json', example.out)
    const { code, out } = await runMain(folder, ['run', 'greeting', '--input', 'input.json'])
    expect({ code, out: JSON.parse(out) }).toEqual({ code: 0, out: { greeting: 'Hello, text!' } })
  })

  it('overwrites nothing, and does the second time what is left', async () => {
    write('package.json', '{ "type": "module" }')
    write('pnpm-lock.yaml', '')
    await runMain(folder, ['init'])
    write('stepwright/greet.ts', 'mine')
    rmSync(join(folder, 'stepwright/functions.ts'))
    const again = await runMain(folder, ['init'])
    expect(again.out).toContain('kept   stepwright/greet.ts\n')
    expect(again.out).toContain('wrote  stepwright/functions.ts\n')
    expect(again.out).toContain('  pnpm add -D @stepwright/cli')
    expect(read('stepwright/greet.ts')).toBe('mine')
    expect((await runMain(folder, ['init'])).out).toContain('Everything is there already.')
  })

  it('names the state machines of a project that has some', async () => {
    write('package.json', '{ "name": "shop" }')
    mkdirSync(join(folder, 'machines'))
    write(
      'machines/order.asl.json',
      '{ "StartAt": "A", "TimeoutSeconds": 9, "States": { "A": { "Type": "Succeed" } } }',
    )
    const { out } = await runMain(folder, ['init'])
    expect(out).toContain('wrote  stepwright.config.mts\n')
    expect(out).not.toContain('app.mts')
    expect(read('stepwright.config.mts')).toContain("{ definition: 'machines/order.asl.json'")
    mkdirSync(join(folder, 'node_modules/@stepwright'), { recursive: true })
    symlinkSync(join(import.meta.dirname, '..'), join(folder, 'node_modules/@stepwright/cli'))
    const checked = await runMain(folder, ['check'])
    expect(checked.out).toContain('1 state machine checked, nothing found')
  })

  it.each([
    [undefined, 'There is no package.json here. A new project: npm create stepwright'],
    ['{', 'package.json cannot be read: '],
  ])('says why it cannot, of %s', async (manifest, problem) => {
    if (manifest !== undefined) write('package.json', manifest)
    const { code, error } = await runMain(folder, ['init'])
    expect(code).toBe(2)
    expect(error).toContain(problem)
  })
})
