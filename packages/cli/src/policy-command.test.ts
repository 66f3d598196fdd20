import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runMain } from './test/run-main.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepwright-policy-'))
  write('orders.asl.json', {
    StartAt: 'Get',
    States: {
      Get: {
        Type: 'Task',
        Resource: 'arn:aws:states:::dynamodb:getItem',
        Parameters: { TableName: 'orders' },
        End: true,
      },
    },
  })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(file: string, content: object): void {
  writeFileSync(join(folder, file), JSON.stringify(content))
}

function run(...args: string[]) {
  return runMain(folder, ['policy', ...args])
}

const csvProcessor = join(import.meta.dirname, '../../../apps/csv-processor/stepwright.config.ts')

describe('stepwright policy', () => {
  it('prints the policy of a bare definition', async () => {
    const { code, out } = await run('orders.asl.json')
    expect(code).toBe(0)
    expect(JSON.parse(out).Statement).toMatchObject([{ Action: ['dynamodb:GetItem'] }])
  })

  it('says what a policy that exists lacks and has too much, and fails', async () => {
    write('role.json', {
      Statement: [
        { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: 'arn:aws:dynamodb:*:*:table/orders' },
      ],
    })
    const { code, out } = await run('orders.asl.json', '--check', 'role.json')
    expect(code).toBe(1)
    expect(out).toMatch(/^missing {3}dynamodb:GetItem on .*\ntoo much {2}dynamodb:PutItem on .*\n$/)
  })

  it('is content with its own output', async () => {
    const { out } = await run('orders.asl.json')
    writeFileSync(join(folder, 'role.json'), out)
    expect(await run('orders.asl.json', '--check', 'role.json')).toMatchObject({ code: 0 })
  })

  it('prints one role of an app, for a stage', async () => {
    const { out, error } = await run('--config', csvProcessor, '--for', 'process', '--stage', 'dev')
    expect(error).toBe('')
    expect(out).toContain('stateMachine:csv-parallel-processing-workflow-dev"')
    expect(out).toContain('states:RedriveExecution')
  })

  it('writes for Terraform and SAM', async () => {
    const terraform = await run('orders.asl.json', '--format', 'terraform')
    expect(terraform.out).toContain(`table/orders`)
    expect(terraform.out).toContain(`\${data.aws_region.current.region}`)
    const sam = await run('orders.asl.json', '--format', 'sam')
    expect(JSON.parse(sam.out).orders.Policies[0].Statement[0].Resource[0]).toHaveProperty('Fn::Sub')
  })

  it('names the role that was probably meant', async () => {
    const { code, error } = await run('--config', csvProcessor, '--for', 'CsvProcesor')
    expect(code).toBe(2)
    expect(error).toContain('Did you mean CsvProcessor?')
  })
})
