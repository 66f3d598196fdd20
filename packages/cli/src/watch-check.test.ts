import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { main } from './main.ts'

it('checks again when a definition or a task changes', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stepwright watch '))
  const write = (file: string, text: string) => {
    writeFileSync(join(folder, `${file}~`), text)
    renameSync(join(folder, `${file}~`), join(folder, file))
  }
  const definition = (error: string) =>
    JSON.stringify({
      StartAt: 'A',
      States: {
        A: {
          Type: 'Task',
          Resource: 'arn:aws:lambda:us-east-1:123456789012:function:a',
          Catch: [{ ErrorEquals: [error], Next: 'B' }],
          End: true,
        },
        B: { Type: 'Fail' },
      },
    })
  const tasks = (error: string) =>
    `export const tasks = { A: { name: 'a', errors: [{ name: '${error}', kind: 'business' }] } }\n`
  mkdirSync(join(folder, 'src'))
  write('a.asl.json', definition('Od'))
  write('src/tasks.mts', tasks('Odd'))
  write(
    'stepwright.config.mts',
    `import { tasks } from './src/tasks.mts'
export default { workflows: [{ definition: 'a.asl.json', tasks }] }
`,
  )
  let printed = ''
  const print = (text: string) => {
    printed += text
  }
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>()
  const code = main(['check', '--watch', '--format', 'github'], {
    cwd: folder,
    colour: false,
    out: print,
    error: print,
    interrupted: () => interrupted,
  })
  try {
    const unknownError = /names\/unknown-error/
    await expect.poll(() => printed, { timeout: 20_000 }).toMatch(unknownError)

    printed = ''
    write('a.asl.json', definition('Odd'))
    await expect.poll(() => printed, { timeout: 20_000 }).toMatch(/^\n── a\.asl\.json\n::/)
    expect(printed).not.toMatch(unknownError)

    printed = ''
    write('src/tasks.mts', tasks('Even'))
    await expect.poll(() => printed, { timeout: 20_000 }).toMatch(unknownError)

    printed = ''
    write('a.asl.json', '{')
    await expect.poll(() => printed, { timeout: 20_000 }).toMatch(/valid\/syntax/)
    expect(readFileSync(join(folder, 'a.asl.json'), 'utf8')).toBe('{')
  } finally {
    interrupt()
    expect(await code).toBe(0)
    rmSync(folder, { recursive: true })
  }
})
