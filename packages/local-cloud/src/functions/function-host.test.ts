import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFunctionHost, type FunctionHost } from './function-host.ts'
import { machineVariables } from './sdk-variables.ts'

const code = `
  await new Promise(resolve => setTimeout(resolve, 400))
  export const quick = () => 'done'
  export const hang = () => new Promise(() => {})
`
const lambda = { arn: 'arn:aws:lambda:us-east-1:000000000000:function:f', memoryMb: 128 }
const common = {
  module: `data:text/javascript,${encodeURIComponent(code)}`,
  timeoutSeconds: 0.2,
  lambda,
  variables: machineVariables(process.env),
}

let host: FunctionHost
beforeAll(() => {
  host = createFunctionHost({
    functions: { quick: { ...common, export: 'quick' }, hang: { ...common, export: 'hang' } },
  })
})
afterAll(() => host.end())

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
})
