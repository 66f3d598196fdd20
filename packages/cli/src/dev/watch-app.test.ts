import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { watchApp } from './watch-app.ts'

it('reloads when a file of the app changes, and says so if that does not work', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stepwright-watch-'))
  const app = { name: 'a', root: pathToFileURL(`${folder}/`), functions: {} }
  const told: string[] = []
  let isBroken = false
  const running = {
    async reload() {
      if (isBroken) throw new Error('no such state')
    },
  }
  const watching = watchApp(app, running, {
    onReload: file => told.push(`loaded ${file}`),
    onProblem: (file, message) => told.push(`${file} ${message}`),
    onFailure: (files, { message }) => told.push(`${files.join()} failed: ${message}`),
  })
  try {
    writeFileSync(join(folder, 'notes.md'), '1')
    writeFileSync(join(folder, 'a.asl.json'), '{}')
    await expect.poll(() => told).toEqual(['loaded a.asl.json'])
    isBroken = true
    writeFileSync(join(folder, 'handlers.ts'), 'x')
    await expect.poll(() => told.at(-1)).toBe('handlers.ts failed: no such state')
  } finally {
    watching[Symbol.dispose]()
    rmSync(folder, { recursive: true })
  }
})
