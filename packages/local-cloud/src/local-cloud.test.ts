import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { DescribeExecutionCommand, ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type LocalCloudOptions, startLocalCloud } from './local-cloud.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-cloud-'))
  await chmod(directory, 0o755) // as root, PostgreSQL runs as another user
})
afterAll(() => rm(directory, { recursive: true }))

/** Writes what it is called with into the database, with clients that only know the environment. */
async function record(event: { key: string }) {
  const client = new pg.Client({ connectionString: String(process.env['DATABASE_URL']) })
  await client.connect()
  await client.query('create table if not exists seen (key text)')
  await client.query('insert into seen values ($1)', [event.key])
  const { rows } = await client.query('select key from seen order by key')
  await client.end()
  return { seen: rows.map(row => row.key) }
}

const definition = {
  StartAt: 'Record',
  States: {
    Record: {
      Type: 'Task',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the definition
      Resource: 'arn:aws:lambda:us-east-1:000000000000:function:${RecordFunction}',
      Parameters: { 'key.$': '$.detail.object.key' },
      End: true,
    },
  },
}

const options: LocalCloudOptions = {
  buckets: ['uploads'],
  functions: { record: { handler: record, timeoutSeconds: 30 } },
  stateMachines: { recorder: { definition, substitutions: { RecordFunction: 'record' } } },
  rules: [
    {
      bucket: 'uploads',
      prefix: 'data/',
      suffix: '.csv',
      stateMachine: 'recorder',
      executionName: ({ detail }) => `object-${detail.object.etag}`,
    },
  ],
  gateway: {
    routes: [{ method: 'GET', path: '/where', handler: async () => ({ table: process.env['TABLE_NAME'] }) }],
  },
  environment: { TABLE_NAME: 'locks' },
}

/** Clients as an app builds them: from the environment alone. */
function clients() {
  return { s3: new S3Client({}), sfn: new SFNClient({}) }
}

describe('startLocalCloud', { timeout: 60_000 }, () => {
  it("runs an app's resources: an object starts a workflow, whose function writes to the database", async () => {
    const before = { ...process.env }
    const cloud = await startLocalCloud(options)
    const { s3, sfn } = clients()
    for (const [key, body] of [
      ['data/a.csv', 'a'],
      ['data/again.csv', 'a'], // the same name of an execution, so it starts nothing
      ['data/readme.txt', 'x'],
      ['other/b.csv', 'y'],
    ] as const) {
      await s3.send(new PutObjectCommand({ Bucket: 'uploads', Key: key, Body: body }))
    }
    const stateMachineArn = cloud.stateMachineArn('recorder')
    const execution = await vi.waitFor(
      async () => {
        const { executions = [] } = await sfn.send(new ListExecutionsCommand({ stateMachineArn }))
        expect(executions.map(({ status }) => status)).toEqual(['SUCCEEDED'])
        return executions[0]
      },
      { timeout: 30_000 },
    )
    const { output } = await sfn.send(new DescribeExecutionCommand({ executionArn: execution?.executionArn }))
    expect(JSON.parse(output ?? '')).toEqual({ seen: ['data/a.csv'] })

    const headers = { authorization: `Bearer ${cloud.gateway?.issueToken({ sub: 'ann' })}` }
    expect(await (await fetch(`${cloud.gateway?.endpoint}/where`, { headers })).json()).toEqual({
      table: 'locks',
    })
    expect(() => cloud.stateMachineArn('recordre')).toThrow(
      'there is no state machine recordre, only recorder',
    )

    s3.destroy()
    sfn.destroy()
    await cloud.stop()
    await cloud.stop()
    expect(process.env).toEqual(before)
    await expect(fetch(`${cloud.gateway?.endpoint}/where`)).rejects.toThrow()
  })

  it('keeps its state between runs where asked, and takes a definition from a file', async () => {
    const file = join(directory, 'recorder.asl.json')
    await writeFile(file, JSON.stringify(definition))
    const kept = {
      ...options,
      dataDirectory: join(directory, 'state'),
      stateMachines: { recorder: { definition: file } },
    }
    const first = await startLocalCloud(kept)
    const { s3 } = clients()
    await s3.send(new PutObjectCommand({ Bucket: 'uploads', Key: 'kept.txt', Body: 'still here' }))
    s3.destroy()
    const arn = first.stateMachineArn('recorder')
    await first.stop()

    await using second = await startLocalCloud(kept)
    const again = clients()
    const { Body } = await again.s3.send(new GetObjectCommand({ Bucket: 'uploads', Key: 'kept.txt' }))
    expect(await Body?.transformToString()).toBe('still here')
    expect(second.stateMachineArn('recorder')).toBe(arn)
    again.s3.destroy()
    again.sfn.destroy()
  })

  it('leaves nothing running when a definition is refused', async () => {
    const before = { ...process.env }
    const broken = { StartAt: 'Nowhere', States: {} }
    await expect(
      startLocalCloud({ stateMachines: { broken: { definition: broken } } }),
    ).rejects.toMatchObject({
      name: 'InvalidDefinition',
    })
    expect(process.env).toEqual(before)
  })
})
