import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from './test/run-main.ts'

const folder = join(import.meta.dirname, '../test/doubles')
let inputs: string
beforeAll(() => {
  inputs = mkdtempSync(join(tmpdir(), 'stepwright run '))
  writeFileSync(join(inputs, 'input.json'), '{"count":3}')
  writeFileSync(join(inputs, 'wrong.json'), '{"count":"three"}')
  writeFileSync(join(inputs, 'broken.json'), '{"count":')
})
afterAll(() => rmSync(inputs, { recursive: true }))

/** The command, on the app beside; not the default name, so that checks of the whole tree pass over it. */
function run(...args: string[]) {
  return runMain(folder, [...args, '--config', 'doubles.config.ts'])
}

describe('stepwright run', { timeout: 60_000 }, () => {
  it('prints the output and nothing else, and shows each state beside it', async () => {
    const { code, out, error } = await run('run', 'doubles', '--input', join(inputs, 'input.json'))
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual([0, 2, 4])
    expect(error).toMatch(/succeeded Count\n/)
    expect(error).toMatch(/succeeded Double {2}█+ 3\/3\n/)
    expect(error).not.toContain('"_aws"')
    expect(error).toMatch(/ {2}\d+ state transitions, \$0\.000\d{3} on AWS\n/)
  })

  it('says why an execution failed, with code and details, also an Express one, and exits with 1', async () => {
    const { code, out, error } = await run('run', 'refused')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(error).toContain('failed    Refuse')
    expect(error).toContain('FAILED: OutOfStock (ROW)\nno such row\n{\n  "row": 7\n}')
  })

  it('prints an input that the schema of the workflow takes', async () => {
    const { code, out } = await run('run', 'doubles', '--example')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({ count: 2 })
    expect((await run('run', 'refused', '--example')).error).toContain('refused does not say what it takes')
  })

  it('names the fields that the schema refuses, and starts nothing', async () => {
    const { code, error } = await run('run', 'doubles', '--input', join(inputs, 'wrong.json'))
    expect(code).toBe(2)
    expect(error).toMatch(/^stepwright: DataValidationError: doubles does not take this input\.\n {2}count: /)
    expect(error).toContain('"stepwright run doubles --example" prints one')
  })

  it.each([
    [['run'], 'Name one workflow'],
    [['run', 'nothing'], 'There is no workflow nothing. There are doubles, refused.'],
    [['run', 'double'], 'There is no workflow double. Did you mean doubles?'],
    [['run', 'doubles', '--input', 'INPUTS/broken.json'], 'The input must be JSON'],
    [['run', 'doubles', '--input', 'missing.json'], 'The input cannot be read'],
    [['run', 'doubles', '--nonsense'], 'There is no option --nonsense.\n'],
    [['run', 'doubles', '--inptu', 'x'], 'There is no option --inptu. Did you mean --input?'],
    [['rnu', 'doubles'], 'There is no command "rnu". Did you mean "run"?'],
  ])('cannot run %j, says why and exits with 2', async (args, problem) => {
    const { code, error } = await run(...args.map(arg => arg.replace('INPUTS', inputs)))
    expect(code).toBe(2)
    expect(error).toContain(problem)
  })
})

describe('stepwright dev', { timeout: 60_000 }, () => {
  it.each([
    ['70000', '--port must be a whole number from 1024 to 65526.'],
    ['TAKEN', 'is taken: choose others with --port.'],
  ])('says so if it cannot have port %s', async (given, problem) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { code, error } = await run('dev', '--port', given.replace('TAKEN', String(port - 3)))
    taken.close()
    expect(code).toBe(2)
    expect(error).toContain(problem)
  })

  it('prints the endpoints and a token, and ends when interrupted', async () => {
    const { code, out } = await run('dev', '--user', 'ann', '--env')
    expect(code).toBe(0)
    expect(out).toMatch(/^The app runs\.\n\n {2}console {2}http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}\n/)
    expect(out).not.toContain('DATABASE_URL') // the app has no database
    expect(out).toMatch(/export AWS_ENDPOINT_URL_SFN='http:\/\/127\.0\.0\.1:\d+'/)
    const [, claims = ''] = /export TOKEN='\w+\.([\w-]+)\./.exec(out) ?? []
    expect(JSON.parse(atob(claims))).toMatchObject({ sub: 'ann' })
  })

  it('prints no variables unless it is asked to', async () => {
    const { out } = await run('dev', '--no-console')
    expect(out).not.toContain('export')
    expect(out).toContain('With --env, it prints variables and commands for another shell.\n')
  })

  it('refuses a port that is none', async () => {
    expect((await run('dev', '--console-port', 'x')).error).toContain(
      '--console-port must be a whole number from 0 to 65535.',
    )
  })

  it('says so if the console cannot have its port', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { code, error } = await run('dev', '--console-port', String(port))
    taken.close()
    expect(code).toBe(2)
    expect(error).toContain(`Port ${port} is taken: choose another with --console-port.`)
  })
})
