import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assertOutputDirectory, writeOutput } from './output-directory.ts'

let place: string
let project: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'stepwright-output-'))
  project = join(place, 'project')
  mkdirSync(join(project, 'src'), { recursive: true })
  writeFileSync(join(project, 'src/app.ts'), 'app')
})
afterEach(() => rmSync(place, { recursive: true }))

function write(output: string, files: Readonly<Record<string, string>>): void {
  const from = mkdtempSync(join(place, 'from-'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(from, file, '..'), { recursive: true })
    writeFileSync(join(from, file), text)
  }
  assertOutputDirectory(output, [project])
  writeOutput(from, output)
}

describe('writeOutput', () => {
  it('replaces what an earlier run wrote, and leaves other files', () => {
    const output = join(project, 'out')
    write(output, { 'template.json': '1', 'code/a.zip': 'a', 'code/old/b.zip': 'b' })
    writeFileSync(join(output, 'notes.txt'), 'mine')
    write(output, { 'template.json': '2', 'code/c.zip': 'c' })
    expect(readFileSync(join(output, 'template.json'), 'utf8')).toBe('2')
    expect(existsSync(join(output, 'code/a.zip'))).toBe(false)
    expect(existsSync(join(output, 'code/old'))).toBe(false)
    expect(readFileSync(join(output, 'notes.txt'), 'utf8')).toBe('mine')
  })

  it('replaces what a run wrote that was killed half-way', () => {
    const output = join(project, 'out')
    write(output, { 'template.json': '1' })
    const marker = join(output, '.stepwright-output.json')
    const { files } = JSON.parse(readFileSync(marker, 'utf8'))
    writeFileSync(marker, JSON.stringify({ files: [...files, 'code/a.zip', 'code/b.zip'] }))
    mkdirSync(join(output, 'code'))
    writeFileSync(join(output, 'code/a.zip'), 'half')
    write(output, { 'template.json': '2' })
    expect(existsSync(join(output, 'code'))).toBe(false)
  })

  it('deletes nothing outside of its directory, whatever the list of files says', () => {
    const output = join(project, 'out')
    write(output, { 'template.json': '1' })
    symlinkSync(join(project, 'src'), join(output, 'linked'))
    const files = ['../src/app.ts', join(project, 'src/app.ts'), 'linked/app.ts', '..', '']
    writeFileSync(join(output, '.stepwright-output.json'), JSON.stringify({ files }))
    write(output, { 'template.json': '2' })
    expect(readFileSync(join(project, 'src/app.ts'), 'utf8')).toBe('app')
  })
})

describe('assertOutputDirectory', () => {
  it('rejects the project and the directories above it, also through a link', () => {
    symlinkSync(project, join(place, 'link'))
    for (const output of [project, place, join(place, 'link'), join(project, 'src/..')])
      expect(() => assertOutputDirectory(output, [project])).toThrow('contains the project')
  })

  it('takes a new or an empty directory, and rejects files that it did not write', () => {
    const output = join(project, 'out')
    assertOutputDirectory(output, [project])
    mkdirSync(output)
    assertOutputDirectory(output, [project])
    writeFileSync(join(output, 'template.json'), 'of an earlier version')
    expect(() => assertOutputDirectory(output, [project])).toThrow('delete it, or name another directory')
    expect(() => assertOutputDirectory(join(output, 'template.json'), [project])).toThrow(
      'is not a directory',
    )
    writeFileSync(join(output, '.stepwright-output.json'), '{"files": 1}')
    expect(() => assertOutputDirectory(output, [project])).toThrow('delete it')
  })
})
