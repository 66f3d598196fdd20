import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sfn from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StatusChangeEvent, type StepFunctions, startStepFunctions } from '../index.ts'
import { type ApiClient, createApiClient, machine, pass, role } from '../test/api-client.ts'

let directory: string
let server: StepFunctions
let api: ApiClient
let chance = 0
const events: StatusChangeEvent[] = []

async function open() {
  server = await startStepFunctions({
    dataDirectory: directory,
    random: () => chance,
    onStatusChange: event => events.push(event),
  })
  api = createApiClient(server)
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-versions-'))
  await open()
})
afterAll(async () => {
  api.client.destroy()
  await server.stop()
  await rm(directory, { recursive: true, force: true })
})

function answers(text: string): string {
  return machine({ P: { Type: 'Pass', Result: text, End: true } })
}
function update(stateMachineArn: string, definition: string) {
  return api.client.send(new sfn.UpdateStateMachineCommand({ stateMachineArn, definition }))
}
async function publish(stateMachineArn: string, more: Partial<sfn.PublishStateMachineVersionInput> = {}) {
  const { stateMachineVersionArn = '' } = await api.client.send(
    new sfn.PublishStateMachineVersionCommand({ stateMachineArn, ...more }),
  )
  return stateMachineVersionArn
}
async function outputOf(arn: string) {
  return (await api.ended(await api.start(arn))).output
}
async function twoVersions(name: string) {
  const arn = await api.create(name, answers('one'), { publish: true })
  await update(arn, answers('two'))
  return [`${arn}:1`, await publish(arn)] as const
}
function alias(name: string, ...routes: readonly (readonly [string, number])[]) {
  return new sfn.CreateStateMachineAliasCommand({
    name,
    routingConfiguration: routes.map(([stateMachineVersionArn, weight]) => ({
      stateMachineVersionArn,
      weight,
    })),
  })
}

describe('versions', () => {
  it('are numbered, described, run and listed, and stay what they were', async () => {
    const created = await api.client.send(
      new sfn.CreateStateMachineCommand({
        name: 'numbered',
        definition: answers('one'),
        roleArn: role,
        publish: true,
        versionDescription: 'the first',
      }),
    )
    const arn = created.stateMachineArn ?? ''
    expect(created.stateMachineVersionArn).toBe(`${arn}:1`)
    expect(await publish(arn)).toBe(`${arn}:1`)
    await update(arn, answers('two'))
    expect(await publish(arn)).toBe(`${arn}:2`)
    expect(
      await api.client.send(new sfn.DescribeStateMachineCommand({ stateMachineArn: `${arn}:1` })),
    ).toMatchObject({
      stateMachineArn: `${arn}:1`,
      name: 'numbered',
      description: 'the first',
      definition: answers('one'),
    })
    expect(await outputOf(`${arn}:1`)).toBe('"one"')
    expect(await outputOf(arn)).toBe('"two"')
    const { stateMachineVersions } = await api.client.send(
      new sfn.ListStateMachineVersionsCommand({ stateMachineArn: arn }),
    )
    expect(stateMachineVersions?.map(version => version.stateMachineVersionArn)).toEqual([
      `${arn}:2`,
      `${arn}:1`,
    ])
  })

  it('are what their executions say that they are of', async () => {
    const [first, second] = await twoVersions('said')
    const arn = first.slice(0, -2)
    const executionArn = await api.start(first)
    expect(executionArn).toContain(':execution:said:')
    expect(await api.ended(executionArn)).toMatchObject({
      stateMachineArn: arn,
      stateMachineVersionArn: first,
    })
    await api.ended(await api.start(second))
    await api.ended(await api.start(arn))
    const { executions } = await api.client.send(new sfn.ListExecutionsCommand({ stateMachineArn: first }))
    expect(executions).toMatchObject([{ executionArn, stateMachineVersionArn: first }])
    expect(events.find(({ detail }) => detail.executionArn === executionArn)?.detail).toMatchObject({
      stateMachineArn: arn,
      stateMachineVersionArn: first,
      stateMachineAliasArn: null,
    })
  })

  it('are published only of the revision that is meant', async () => {
    const arn = await api.create('revised', pass)
    const { revisionId } = await update(arn, answers('x'))
    await expect(publish(arn, { revisionId: 'another' })).rejects.toMatchObject({
      name: 'ConflictException',
      message: `Failed to publish the State Machine version for revision another. The current State Machine revision is ${revisionId}.`,
    })
    expect(await publish(arn, { revisionId })).toBe(`${arn}:1`)
    await api.client.send(new sfn.TagResourceCommand({ resourceArn: arn, tags: [{ key: 'a', value: 'b' }] }))
    expect(await update(arn, answers('x'))).toMatchObject({ revisionId })
    expect(
      await api.client.send(new sfn.DescribeStateMachineCommand({ stateMachineArn: arn })),
    ).toMatchObject({ revisionId })
  })

  it('are not deleted while an alias names them, and their numbers are not given again', async () => {
    const [first, second] = await twoVersions('kept')
    const arn = first.slice(0, -2)
    const remove = (stateMachineVersionArn: string) =>
      api.client.send(new sfn.DeleteStateMachineVersionCommand({ stateMachineVersionArn }))
    await api.client.send(alias('prod', [second, 100]))
    await expect(remove(second)).rejects.toMatchObject({
      name: 'ConflictException',
      message:
        'Version to be deleted must not be referenced by an alias. Current list of aliases referencing this version: [prod]',
    })
    await remove(first)
    await expect(api.start(first)).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' })
    await api.client.send(new sfn.DeleteStateMachineAliasCommand({ stateMachineAliasArn: `${arn}:prod` }))
    await remove(second)
    expect(await publish(arn)).toBe(`${arn}:3`)
  })

  it.each([
    [{ versionDescription: 'x' }, 'Version description can only be set when publish is true'],
    [{ publish: true, versionDescription: 'x'.repeat(257) }, /length less than or equal to 256/],
  ])('refuse %#', async (more, message) => {
    await expect(api.create('refused', pass, more)).rejects.toMatchObject({
      name: 'ValidationException',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })
  })
})

describe('aliases', () => {
  it('share executions between two versions by weight, and can be pointed elsewhere', async () => {
    const [first, second] = await twoVersions('routed')
    const arn = `${first.slice(0, -2)}:live`
    await api.client.send(alias('live', [first, 90], [second, 10]))
    chance = 0.899
    expect(await outputOf(arn)).toBe('"one"')
    chance = 0.9
    const executionArn = await api.start(arn)
    expect(await api.ended(executionArn)).toMatchObject({
      output: '"two"',
      stateMachineVersionArn: second,
      stateMachineAliasArn: arn,
    })
    chance = 0
    await api.client.send(
      new sfn.UpdateStateMachineAliasCommand({
        stateMachineAliasArn: arn,
        description: 'all of it',
        routingConfiguration: [{ stateMachineVersionArn: second, weight: 100 }],
      }),
    )
    expect(await outputOf(arn)).toBe('"two"')
    expect(
      await api.client.send(new sfn.DescribeStateMachineAliasCommand({ stateMachineAliasArn: arn })),
    ).toMatchObject({
      name: 'live',
      description: 'all of it',
      routingConfiguration: [{ stateMachineVersionArn: second, weight: 100 }],
    })
    const { executions } = await api.client.send(new sfn.ListExecutionsCommand({ stateMachineArn: arn }))
    expect(executions).toHaveLength(3)
  })

  it('are listed, all of them or those of a version', async () => {
    const [first, second] = await twoVersions('named')
    await api.client.send(alias('old', [first, 100]))
    await api.client.send(alias('both', [first, 50], [second, 50]))
    const namesOf = async (stateMachineArn: string) => {
      const { stateMachineAliases = [] } = await api.client.send(
        new sfn.ListStateMachineAliasesCommand({ stateMachineArn }),
      )
      return stateMachineAliases.map(item => item.stateMachineAliasArn?.split(':').at(-1)).sort()
    }
    expect(await namesOf(first.slice(0, -2))).toEqual(['both', 'old'])
    expect(await namesOf(second)).toEqual(['both'])
  })

  it('are created once, and not again with other routes', async () => {
    const [first, second] = await twoVersions('once')
    const { stateMachineAliasArn } = await api.client.send(alias('a', [first, 100]))
    expect(await api.client.send(alias('a', [first, 100]))).toMatchObject({ stateMachineAliasArn })
    await expect(api.client.send(alias('a', [second, 100]))).rejects.toMatchObject({
      name: 'ConflictException',
    })
    await api.client.send(new sfn.DeleteStateMachineAliasCommand({ stateMachineAliasArn }))
    await expect(
      api.client.send(new sfn.DescribeStateMachineAliasCommand({ stateMachineAliasArn })),
    ).rejects.toMatchObject({ name: 'ResourceNotFound' })
  })

  it('refuse routes that lead nowhere, twice to the same, or not to a hundred', async () => {
    const [first, second] = await twoVersions('wrong')
    const refusal = (...routes: readonly (readonly [string, number])[]) =>
      expect(api.client.send(alias('w', ...routes))).rejects
    await refusal([first, 50], [first, 50]).toMatchObject({
      name: 'ValidationException',
      message: `Routing configuration must contain distinct state machine version ARNs. Received: [${first}, ${first}]`,
    })
    await refusal([first, 50], [second, 40]).toMatchObject({
      name: 'ValidationException',
      message: 'Sum of routing configuration weights must equal 100. Received: [50, 40]',
    })
    await refusal([first, 101]).toMatchObject({ name: 'ValidationException' })
    await refusal([`${first}9`, 100]).toMatchObject({ name: 'ResourceNotFound' })
    await refusal([first.slice(0, -2), 100]).toMatchObject({ name: 'InvalidArn' })
    await refusal([first, 50], [second, 50], [first, 0]).toMatchObject({ name: 'ValidationException' })
    await expect(api.client.send(alias('1', [first, 100]))).rejects.toMatchObject({
      name: 'ValidationException',
    })
  })
})

describe('a restart', () => {
  it('keeps versions and aliases', async () => {
    const [first] = await twoVersions('lasting')
    await api.client.send(alias('live', [first, 100]))
    api.client.destroy()
    await server.stop()
    await open()
    expect(await outputOf(`${first.slice(0, -2)}:live`)).toBe('"one"')
  })
})
