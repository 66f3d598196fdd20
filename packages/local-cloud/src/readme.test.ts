import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const packages = join(import.meta.dirname, '../..')

async function firstExample(service: string): Promise<string> {
  const readme = await readFile(join(packages, service, 'README.md'), 'utf8')
  const [, code = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
  return code
}

/** What it prints, run as a program of that package. */
async function run(service: string, code: string): Promise<string> {
  const folder = join(packages, service, '.cache')
  const file = join(folder, 'readme-example.ts')
  await mkdir(folder, { recursive: true })
  await writeFile(file, code)
  try {
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', chunk => {
      output += chunk
    })
    const [exitCode] = await once(child, 'close')
    expect(exitCode).toBe(0)
    return output
  } finally {
    await rm(file, { force: true })
  }
}

describe('the READMEs of the local services', () => {
  it.each([
    ['local-postgres', ''],
    ['local-dynamodb', ''],
    ['local-s3', 'new: a.csv\n'],
    ['local-eventbridge', 'true\n'],
    ['local-sns', 'arn:aws:sns:us-east-1:000000000000:orders\n'],
    ['local-sqs', 'hello\n'],
    ['local-step-functions', ''],
  ])('%s begins with an example that runs', async (service, output) => {
    const code = await firstExample(service)
    expect(code).toContain(`from '@stepwright/${service}'`)
    expect(await run(service, code)).toBe(output)
  })
})
