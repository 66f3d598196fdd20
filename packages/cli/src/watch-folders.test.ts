import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { watchFolders } from './watch-folders.ts'

let root = ''
let told: string[] = []
let watching: Disposable
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stepwright-watch-'))
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'src/a.ts'), '0')
  told = []
  watching = watchFolders(root, {
    ignores: path => path.includes('node_modules') || path.endsWith('~'),
    onChange: files => told.push(...files),
  })
})
afterEach(() => {
  watching[Symbol.dispose]()
  rmSync(root, { recursive: true })
})

it('tells of a file however often an editor puts another in its place', async () => {
  for (const text of ['1', '2', '3']) {
    told = []
    writeFileSync(join(root, 'src/a.ts~'), text)
    renameSync(join(root, 'src/a.ts~'), join(root, 'src/a.ts'))
    await expect.poll(() => told).toEqual(['src/a.ts'])
  }
})

it('tells of files in folders that are new, and not of what is ignored', async () => {
  mkdirSync(join(root, 'node_modules/x'), { recursive: true })
  writeFileSync(join(root, 'node_modules/x/b.ts'), '1')
  mkdirSync(join(root, 'src/new/deep'), { recursive: true })
  writeFileSync(join(root, 'src/new/deep/c.ts'), '1')
  await expect.poll(() => told).toContain('src/new/deep/c.ts')
  told = []
  writeFileSync(join(root, 'src/new/deep/c.ts'), '2')
  await expect.poll(() => told).toEqual(['src/new/deep/c.ts'])
})

it('tells of a file that is deleted', async () => {
  rmSync(join(root, 'src/a.ts'))
  await expect.poll(() => told).toEqual(['src/a.ts'])
})
