import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn'
import { describe, expect, it } from 'vitest'
import { startStepFunctions } from './index.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

describe('the README', () => {
  it('starts a server that the SDK can use', async () => {
    const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
    const body = code.replaceAll(/^import .*$/gm, '').replace('await using', 'const')
    const run = new Function(
      'SFNClient',
      'startStepFunctions',
      `return (async () => {${body}\nreturn { client, stepFunctions }})()`,
    )
    const { client, stepFunctions } = await run(SFNClient, startStepFunctions)
    expect(await client.send(new ListStateMachinesCommand({}))).toMatchObject({ stateMachines: [] })
    client.destroy()
    await stepFunctions.stop()
  })
})
