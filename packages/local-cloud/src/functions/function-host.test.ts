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
  const names = ['AWS_LAMBDA_FUNCTION_NAME', 'AWS_LAMBDA_FUNCTION_MEMORY_SIZE', '_HANDLER', 'LAMBDA_TASK_ROOT']
  export const look = async ({ ms }, { functionName, logGroupName }) => {
    await new Promise(resolve => setTimeout(resolve, ms))
    const { AWS_LAMBDA_LOG_GROUP_NAME, PATH } = process.env
    process.env.SET = 'first'
    process.env.SET = 'again'
    const found = names.map(name => process.env[name])
    const listed = Object.keys({ ...process.env }).filter(name => names.includes(name)).length
    return { functionName, logGroupName, AWS_LAMBDA_LOG_GROUP_NAME, found, listed, hasPath: PATH !== undefined, set: process.env.SET, pid: process.pid }
  }
  export const stage = () => mkdtempSync(join(tmpdir(), 'staged-'))
`
function identityOf(name: string, memoryMb = 128) {
  return {
    arn: `arn:aws:lambda:us-east-1:000000000000:function:app-${name}`,
    memoryMb,
    handler: `handlers.${name}`,
    taskRoot: '/app/',
  }
}
const common = {
  module: `data:text/javascript,${encodeURIComponent(code)}`,
  timeoutSeconds: 0.2,
  variables: machineVariables(process.env),
}

const functions = {
  quick: { ...common, export: 'quick', lambda: identityOf('quick') },
  hang: { ...common, export: 'hang', lambda: identityOf('hang') },
  stage: { ...common, export: 'stage', lambda: identityOf('stage') },
  look: { ...common, timeoutSeconds: 5, export: 'look', lambda: identityOf('look') },
  other: { ...common, timeoutSeconds: 5, export: 'look', lambda: identityOf('other', 512) },
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

  it('gives each function its name, size and handler, in its context and its environment', async () => {
    // The first one reads its environment while the second is at work in the same process.
    const [look, other] = (await Promise.all([
      host.invoke('look', { ms: 20 }),
      host.invoke('other', { ms: 0 }),
    ])) as { pid: number }[]
    expect(look).toMatchObject({
      functionName: 'app-look',
      logGroupName: '/aws/lambda/app-look',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/app-look',
      found: ['app-look', '128', 'handlers.look', '/app/'],
      listed: 4,
      hasPath: true,
      set: 'again',
    })
    expect(other).toMatchObject({
      functionName: 'app-other',
      found: ['app-other', '512', 'handlers.other', '/app/'],
      pid: look?.pid,
    })
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
