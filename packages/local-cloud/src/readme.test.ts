import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const directory = join(import.meta.dirname, '..')
const readme = await readFile(join(directory, 'README.md'), 'utf8')
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)]
  .map(([, code = '']) => code)
  .filter(code => /await using \w+ = await start(Postgres|DynamoDb|S3|StepFunctions)\(/.test(code))

describe('README.md', () => {
  it.each(examples.map((code, index) => [index + 1, code] as const))(
    'has example %i, which runs',
    async (index, code) => {
      const file = join(directory, '.cache', `readme-${index}.ts`)
      await mkdir(join(directory, '.cache'), { recursive: true })
      await writeFile(file, code)
      try {
        const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
        let output = ''
        child.stdout.on('data', chunk => {
          output += chunk
        })
        const [exitCode] = await once(child, 'close')
        expect(exitCode).toBe(0)
        if (code.includes('stdout')) expect(output).toBe('new: a.csv\n')
      } finally {
        await rm(file, { force: true })
      }
    },
  )

  it('has an example of each service', () => {
    expect(examples).toHaveLength(4)
  })
})
