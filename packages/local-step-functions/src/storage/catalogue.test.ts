import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAppendFiles } from '@stepwright/local-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileCatalogue } from './catalogue.ts'

let directory: string
let problems: string[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-catalogue-'))
  problems = []
})

afterEach(() => rm(directory, { recursive: true, force: true }))

function open() {
  return openFileCatalogue<{ n: number }>(
    join(directory, 'deep', 'things.jsonl'),
    createAppendFiles(),
    problem => problems.push(problem),
  )
}

describe('openFileCatalogue', () => {
  it('knows after a restart what was put and not removed', () => {
    const before = open()
    before.put('a', { n: 1 })
    before.put('a', { n: 2 })
    before.put('b', { n: 3 })
    expect(before.remove('b')).toBe(true)
    expect(before.remove('b')).toBe(false)
    expect(open().values()).toEqual([{ n: 2 }])
  })

  it('passes over lines that cannot be read, and keeps a copy', async () => {
    const path = join(directory, 'deep', 'things.jsonl')
    open().put('a', { n: 1 })
    await appendFile(path, 'noise\n')
    await appendFile(path, '{"arn":"b","value":{"n":2}}\n{"arn":"c","va')
    const after = open()
    expect(after.values()).toEqual([{ n: 1 }, { n: 2 }])
    expect(problems).toEqual([expect.stringMatching(/lines that cannot be read \(1\)/)])
    after.put('d', { n: 4 })
    expect(open().values()).toHaveLength(3)
    expect(problems).toHaveLength(1)
    expect(await readFile(`${path}.broken`, 'utf8')).toContain('noise')
  })

  it('is written anew when most of it is out of date', async () => {
    const before = open()
    for (let n = 0; n < 200; n += 1) before.put('a', { n })
    expect(open().values()).toEqual([{ n: 199 }])
    expect((await readFile(join(directory, 'deep', 'things.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(
      1,
    )
  })
})
