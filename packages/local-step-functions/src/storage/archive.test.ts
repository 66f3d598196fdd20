import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAppendFiles } from '@stepwright/local-server'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openArchive } from './archive.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-archive-'))
})

afterEach(() => rm(directory, { recursive: true, force: true }))

const key = fc.stringMatching(/^[0-9a-f]{40}$/)

describe('openArchive', () => {
  it('gives back what was added, also after a restart and after others were removed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.record({ key, text: fc.string({ unit: 'grapheme' }), isGone: fc.boolean() }), {
          selector: entry => entry.key.slice(0, 12),
          maxLength: 20,
        }),
        async entries => {
          await rm(directory, { recursive: true, force: true })
          const archive = openArchive(directory, createAppendFiles())
          for (const entry of entries) archive.add(entry.key, `label ${entry.text.length}`, entry.text)
          for (const opened of [archive, openArchive(directory, createAppendFiles())]) {
            for (const entry of entries) expect(opened.read(entry.key)).toBe(entry.text)
          }
          const gone = entries.filter(({ isGone }) => isGone)
          const kept = entries.filter(({ isGone }) => !isGone)
          archive.remove(new Set(gone.map(entry => entry.key)))
          for (const opened of [archive, openArchive(directory, createAppendFiles())]) {
            for (const entry of gone) expect(opened.has(entry.key)).toBe(false)
            for (const entry of kept) expect(opened.read(entry.key)).toBe(entry.text)
            expect([...opened.labels()].sort()).toEqual(kept.map(({ text }) => `label ${text.length}`).sort())
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('drops what a killed process left unfinished', async () => {
    const first = 'a'.repeat(40)
    const second = 'a'.repeat(39).concat('b')
    openArchive(directory, createAppendFiles()).add(first, 'label', 'whole')
    const [file = ''] = await readdir(directory)
    const { size } = await stat(join(directory, file))
    for (const rest of [`${second}`, `${second} 10 label\n`, `${second} 10 label\nhalf`]) {
      await appendFile(join(directory, file), rest)
      const archive = openArchive(directory, createAppendFiles())
      expect(archive.read(first)).toBe('whole')
      expect(archive.has('ab'.repeat(20))).toBe(false)
      expect((await stat(join(directory, file))).size).toBe(size)
    }
  })
})
