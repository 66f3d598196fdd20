import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFunctionHost, type FunctionHost } from './function-host.ts'
import { machineVariables } from './sdk-variables.ts'

const code = `
  import { mkdtempSync } from 'node:fs'
  import { tmpdir } from 'node:os'
  import { join } from 'node:path'
  await new Promise(resolve => setTimeout(resolve, 400))
  export const quick = () => 'done'
  export const hang = () => new Promise(() => {})
  export const stage = () => mkdtempSync(join(tmpdir(), 'staged-'))
`
const lambda = { arn: 'arn:aws:lambda:us-east-1:000000000000:function:f', memoryMb: 128 }
const common = {
  module: `data:text/javascript,${encodeURIComponent(code)}`,
  timeoutSeconds: 0.2,
  lambda,
  variables: machineVariables(process.env),
}

const functions = {
  quick: { ...common, export: 'quick' },
  hang: { ...common, export: 'hang' },
  stage: { ...common, export: 'stage' },
}

let host: FunctionHost
let scratchDirectory = ''
beforeAll(async () => {
  scratchDirectory = await mkdtemp(join(tmpdir(), 'stepwright-host-'))
  host = createFunctionHost({ functions })
})
afterAll(async () => {
  await host.end()
  await rm(scratchDirectory, { recursive: true })
})

describe('createFunctionHost', () => {
  it('counts no time against a function while its module is loaded', async () => {
    expect(await host.invoke('quick', {})).toBe('done')
  })

  it('gives up a function that takes too long, from when it begins', async () => {
    await expect(host.invoke('hang', {})).rejects.toMatchObject({
      name: 'Sandbox.Timedout',
      message: 'Task timed out after 0.20 seconds',
    })
    expect(await host.invoke('quick', {})).toBe('done')
  })

  it('takes away what a process leaves in its temporary directory, also one that is killed', async () => {
    const own = createFunctionHost({ functions, scratchDirectory })
    const staged = await own.invoke('stage', {})
    expect(dirname(dirname(String(staged)))).toBe(scratchDirectory)
    const hanging = own.invoke('hang', {}).catch(error => error.message)
    expect(own.kill('hang')).toBe(true)
    expect(await hanging).toContain('SIGKILL')
    await expect.poll(() => readdir(scratchDirectory)).toEqual([])
    expect(await own.invoke('stage', {})).not.toBe(staged)
    await own.end()
  })
})
