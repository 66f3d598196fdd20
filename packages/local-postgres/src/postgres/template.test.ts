import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScratch, type Scratch, serverAccount } from '@stepwright/local-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBinaries } from './binaries.ts'
import { openCluster } from './cluster.ts'
import { createTemplate } from './template.ts'

const account = await serverAccount()
const uid = account?.uid ?? process.getuid?.()
let place = ''
let scratch: Scratch
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'stepwright template '))
  scratch = await createScratch('template', account)
})
afterEach(async () => {
  await scratch.remove()
  await rm(place, { recursive: true, force: true })
})

/** A directory with a file in it. */
async function someFiles(): Promise<string> {
  const directory = join(place, 'files')
  await mkdir(join(directory, 'base'), { recursive: true, mode: 0o700 })
  await writeFile(join(directory, 'base/1'), 'x'.repeat(100_000), { mode: 0o600 })
  return directory
}

async function kept(): Promise<string[]> {
  return (await readdir(place)).filter(name => name.endsWith('.tar')).map(name => join(place, name))
}

describe('createTemplate', () => {
  it('gives what was kept to the user of the server, and to nobody else', async () => {
    const template = createTemplate(place, ['--one'])
    await template.keep(await someFiles())
    const copy = join(scratch.path, 'copy')
    expect(await template.unpack(copy, account)).toBe(true)
    expect(await readFile(join(copy, 'base/1'), 'utf8')).toBe('x'.repeat(100_000))
    for (const path of [copy, join(copy, 'base'), join(copy, 'base/1')]) {
      const { uid: owner, mode } = await stat(path)
      expect([owner, mode & 0o077]).toEqual([uid, 0])
    }
  })

  it('has none for other arguments', async () => {
    await createTemplate(place, ['--one']).keep(await someFiles())
    expect(await createTemplate(place, ['--other']).unpack(join(scratch.path, 'copy'), account)).toBe(false)
  })

  it('leaves nothing of a template that is damaged', async () => {
    const template = createTemplate(place, ['--one'])
    await template.keep(await someFiles())
    for (const path of await kept()) await truncate(path, 50_000)
    expect(await template.unpack(join(scratch.path, 'copy'), account)).toBe(false)
    expect(await readdir(scratch.path)).toEqual([])
  })

  it('keeps nothing where it may not, and leaves nothing half written', async () => {
    await createTemplate(join(place, 'no such directory'), []).keep(await someFiles())
    await createTemplate(place, []).keep(join(place, 'nothing to keep'))
    expect(await kept()).toEqual([])
    expect(await readdir(place)).toEqual(['files'])
  })

  it('gets over an unfinished one that a killed process has left', async () => {
    const template = createTemplate(place, ['--one'])
    const files = await someFiles()
    await template.keep(files)
    const [path = ''] = await kept()
    await rename(path, `${path}.new`)
    await template.keep(files)
    expect(await kept()).toEqual([])
    await utimes(`${path}.new`, 1, 1)
    await template.keep(files)
    await template.keep(files)
    expect(await kept()).toEqual([path])
    expect((await readdir(place)).length).toBe(2)
  })
})

describe('openCluster', () => {
  it('makes the next cluster from the first, and one by initdb where the template is no cluster', async () => {
    const binaries = { ...(await findBinaries(scratch.path, account)), home: place }
    const open = async (name: string): Promise<number> => {
      const home = join(scratch.path, name)
      const { data } = await openCluster(home, scratch.path, binaries, account, 'password')
      return (await stat(join(data, 'global/pg_control'))).size
    }
    expect(await open('first')).toBe(8192)
    const [path = ''] = await kept()
    const { mtimeMs } = await stat(path)
    expect(await open('second')).toBe(8192)
    expect((await stat(path)).mtimeMs).toBe(mtimeMs)

    await rm(path)
    await createTemplateOf(path)
    expect(await open('third')).toBe(8192)
    expect((await stat(path)).mtimeMs).toBeGreaterThan(mtimeMs)
  })

  /** Puts files that are no cluster where the template is. */
  async function createTemplateOf(path: string): Promise<void> {
    await createTemplate(place, ['junk']).keep(await someFiles())
    const [junk = ''] = await kept()
    await writeFile(path, await readFile(junk))
    await rm(junk)
  }
})
