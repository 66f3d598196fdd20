import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sfn from '@aws-sdk/client-sfn'
import { expect, it } from 'vitest'
import { startStepFunctions } from '../index.ts'

it('keeps inputs and results where no other user can read them', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'stepwright-private-'))
  const dataDirectory = join(parent, 'data')
  const umask = process.umask(0o022)
  try {
    const server = await startStepFunctions({ dataDirectory })
    const client = new sfn.SFNClient(server.clientConfig)
    const { stateMachineArn } = await client.send(
      new sfn.CreateStateMachineCommand({
        name: 'm',
        roleArn: 'arn:aws:iam::000000000000:role/r',
        definition: JSON.stringify({ StartAt: 'S', States: { S: { Type: 'Succeed' } } }),
      }),
    )
    await client.send(new sfn.StartExecutionCommand({ stateMachineArn, input: '{"secret":1}' }))
    client.destroy()
    await server.stop()
    const entries = await readdir(dataDirectory, { recursive: true, withFileTypes: true })
    expect(entries.length).toBeGreaterThan(3)
    for (const entry of entries) {
      const { mode } = await stat(join(entry.parentPath, entry.name))
      expect([entry.name, mode & 0o077]).toEqual([entry.name, 0])
    }
    expect((await stat(dataDirectory)).mode & 0o777).toBe(0o700)
  } finally {
    process.umask(umask)
    await rm(parent, { recursive: true })
  }
})
