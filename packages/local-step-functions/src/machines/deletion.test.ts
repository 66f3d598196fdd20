import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sfn from '@aws-sdk/client-sfn'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StepFunctions, startStepFunctions } from '../index.ts'
import { type ApiClient, createApiClient, machine, pass } from '../test/api-client.ts'

const lambda = 'arn:aws:lambda:us-east-1:000000000000:function:gate'
const twice = machine({
  A: { Type: 'Task', Resource: lambda, Next: 'B' },
  B: { Type: 'Task', Resource: lambda, End: true },
})

let directory: string
let server: StepFunctions
let api: ApiClient
let calls: (() => void)[]

async function open() {
  calls = []
  const gate = () => new Promise<void>(resolve => calls.push(resolve))
  server = await startStepFunctions({
    dataDirectory: directory,
    graceSeconds: 0,
    functions: { gate: { handler: gate, timeoutSeconds: 60 } },
  })
  api = createApiClient(server)
}
async function close() {
  api.client.destroy()
  await server.stop()
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-deletion-'))
  await open()
})
afterEach(async () => {
  await close()
  await rm(directory, { recursive: true, force: true })
})

function remove(stateMachineArn: string) {
  return api.client.send(new sfn.DeleteStateMachineCommand({ stateMachineArn }))
}
function describeMachine(stateMachineArn: string) {
  return api.client.send(new sfn.DescribeStateMachineCommand({ stateMachineArn }))
}

describe('DeleteStateMachine', () => {
  it('deletes at once what has no executions, its versions and aliases too', async () => {
    const arn = await api.create('gone', pass, { publish: true })
    await remove(arn)
    await expect(describeMachine(arn)).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' })
    await expect(api.start(`${arn}:1`)).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' })
    await remove(arn)
    expect(await api.create('gone', pass, { publish: true })).toBe(arn)
  })

  it('waits for executions, which end when they leave their state', async () => {
    const arn = await api.create('busy', twice)
    const executionArn = await api.start(arn)
    await expect.poll(() => calls.length).toBe(1)
    await remove(arn)
    expect(await describeMachine(arn)).toMatchObject({ status: 'DELETING' })
    const deleting = { name: 'StateMachineDeleting', message: `State Machine is being deleted: '${arn}'` }
    await expect(api.start(arn)).rejects.toMatchObject(deleting)
    await expect(api.create('busy', pass)).rejects.toMatchObject(deleting)
    await expect(
      api.client.send(new sfn.UpdateStateMachineCommand({ stateMachineArn: arn, definition: pass })),
    ).rejects.toMatchObject(deleting)
    calls[0]?.()
    expect(await api.ended(executionArn)).toMatchObject({ status: 'ABORTED' })
    expect(calls).toHaveLength(1)
    await expect(describeMachine(arn)).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' })
  })

  it('goes on after a restart', async () => {
    const arn = await api.create('restarted', twice)
    const executionArn = await api.start(arn)
    await expect.poll(() => calls.length).toBe(1)
    await remove(arn)
    await close()
    await open()
    expect(await describeMachine(arn)).toMatchObject({ status: 'DELETING' })
    await expect.poll(() => calls.length).toBe(1)
    calls[0]?.()
    expect(await api.ended(executionArn)).toMatchObject({ status: 'ABORTED' })
    await expect(describeMachine(arn)).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' })
  })
})
