import { writeSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAppendFiles } from './append-files.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-append-'))
})

afterEach(() => rm(directory, { recursive: true, force: true }))

describe('createAppendFiles', () => {
  it('goes on after a short write', async () => {
    const path = join(directory, 'a')
    const files = createAppendFiles({ write: (file, bytes) => writeSync(file, bytes.subarray(0, 3)) })
    files.append(path, 'one line\n')
    files.append(path, 'and another\n', { sync: true })
    files.releaseAll()
    expect(await readFile(path, 'utf8')).toBe('one line\nand another\n')
  })

  it('takes back what a full disk cut off', async () => {
    const path = join(directory, 'a')
    let left = 12
    const files = createAppendFiles({
      write: (file, bytes) => {
        if (left === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
        const written = writeSync(file, bytes.subarray(0, Math.min(left, bytes.length)))
        left -= written
        return written
      },
    })
    files.append(path, 'kept\n')
    expect(() => files.append(path, 'cut off in the middle\n')).toThrow('ENOSPC')
    left = 100
    files.append(path, 'later\n')
    files.releaseAll()
    expect(await readFile(path, 'utf8')).toBe('kept\nlater\n')
  })
})
