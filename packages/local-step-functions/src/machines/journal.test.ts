import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileJournals, createMemoryJournals } from './journal.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-journal-'))
})

afterEach(() => rm(directory, { recursive: true, force: true }))

describe.each([
  ['createFileJournals', () => createFileJournals(join(directory, 'deep', 'er'))],
  ['createMemoryJournals', createMemoryJournals],
])('%s', (_name, create) => {
  it('gives back what was appended, in order, by name', () => {
    const journals = create()
    const journal = journals.open('a')
    journal.append({ n: 1 })
    journal.close()
    journal.append({ n: 2 })
    journals.open('b').append('x')
    expect(journals.open('a').read()).toEqual([{ n: 1 }, { n: 2 }])
    expect([...journals.names()].sort()).toEqual(['a', 'b'])
    journal.remove()
    expect(journals.names()).toEqual(['b'])
  })
})

describe('a journal file', () => {
  it('forgets half a line, and what comes after it stands on its own', async () => {
    const journals = createFileJournals(directory)
    journals.open('a').append({ n: 1 })
    await appendFile(join(directory, 'a.jsonl'), '{"n":')
    const journal = journals.open('a')
    journal.append({ n: 2 })
    expect(journal.read()).toEqual([{ n: 1 }, { n: 2 }])
    expect(await readFile(join(directory, 'a.jsonl'), 'utf8')).toBe('{"n":1}\n{"n":2}\n')
    journal.close()
  })
})
