import { execFile } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { main as stepwright } from '@stepwright/cli'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main } from './main.ts'
import { type TemplateName, templates } from './templates.ts'

const run = promisify(execFile)
/** Inside this package, where what the projects import is installed. */
const cwd = join(import.meta.dirname, '../.cache/projects')

beforeAll(async () => {
  await rm(cwd, { recursive: true, force: true })
  await mkdir(cwd, { recursive: true })
})
afterAll(() => rm(cwd, { recursive: true, force: true }))

async function create(...args: string[]) {
  let written = ''
  const write = (text: string) => {
    written += text
  }
  const code = await main(args, { cwd, write, ask: undefined })
  return { code, written }
}

function binOf(name: string, file: string): string {
  return join(import.meta.dirname, '../node_modules', name, file)
}

function runNode(folder: string, ...args: string[]) {
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env
  return run(process.execPath, args, { cwd: join(cwd, folder), env })
}

describe.each(Object.keys(templates) as TemplateName[])('the template %s', template => {
  const name = `a-${template}`

  it('is written with its name, and says what to do next', async () => {
    const { code, written } = await create(name, '--template', template, '--yes')
    expect({ code, written }).toEqual({ code: 0, written: expect.stringContaining(`cd ${name}\n`) })
    expect(await readFile(join(cwd, name, 'src/app.ts'), 'utf8')).toContain(`name: '${name}'`)
    expect(await readFile(join(cwd, name, '.gitignore'), 'utf8')).toContain('node_modules/')
    expect(await readFile(join(cwd, name, 'README.md'), 'utf8')).not.toContain('{{')
  })

  it('compiles', async () => {
    await runNode(name, binOf('typescript', 'bin/tsc'))
  })

  it('has nothing that stepwright check finds', async () => {
    let printed = ''
    const print = (text: string) => {
      printed += text
    }
    const folder = join(cwd, name)
    const io = { cwd: folder, colour: false, out: print, error: print, interrupted: async () => {} }
    expect(await stepwright(['check', '--fail-on', 'info'], io)).toBe(0)
    expect(printed).toContain('1 state machine checked, nothing found')
  })

  it('passes its own tests', async () => {
    const { stdout } = await runNode(name, binOf('vitest', 'vitest.mjs'), 'run', '--root', '.')
    expect(stdout).toMatch(/Tests .*\d+ passed/)
  })
})

describe('create-stepwright', () => {
  it('runs an order of the minimal project, whose output is JSON alone', async () => {
    await create('shop', '--yes')
    const bin = binOf('@stepwright/cli', 'src/bin.ts')
    const { stdout } = await runNode('shop', bin, 'run', 'order', '--input', 'order.json')
    expect(JSON.parse(stdout)).toMatchObject({ price: { totalCents: 6800, shippingCents: 0 } })
  })

  it('touches nothing that exists', async () => {
    await create('taken', '--yes')
    const { code, written } = await create('taken', '--yes')
    expect(code).toBe(2)
    expect(written).toMatch(/taken is not empty: it has /)
  })

  it.each([
    [['My App'], 'The name must be 1 to 40 lower-case letters'],
    [['x', '--template', 'nothing'], 'There is no template "nothing". There are minimal, csv-import.'],
    [['x', '--nothing'], "Unknown option '--nothing'"],
  ])('refuses %j and says why', async (args, problem) => {
    const { code, written } = await create(...args, '--yes')
    expect(code).toBe(2)
    expect(written).toContain(problem)
    expect(written).toContain('Usage: npm create stepwright')
  })

  it('asks for what it was not told', async () => {
    const asked: string[] = []
    const answers = ['asked', 'minimal']
    const code = await main([], {
      cwd,
      write: () => {},
      ask: async question => {
        asked.push(question)
        return answers.shift() ?? ''
      },
    })
    expect({ code, asked }).toEqual({ code: 0, asked: ['Name of the app', 'Template (minimal, csv-import)'] })
    expect(await readFile(join(cwd, 'asked/package.json'), 'utf8')).toContain('"name": "asked"')
  })
})
