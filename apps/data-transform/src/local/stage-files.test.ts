import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JobSpec } from '../job.ts'
import { JobFailure } from './job-failure.ts'
import { stageFiles } from './stage-files.ts'

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'stage-files-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

function stage(file: Uint8Array) {
  async function* body() {
    for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536)
  }
  const raw = { get: async () => ({ body: body() }) } as unknown as Parameters<typeof stageFiles>[0]
  const spec = { sources: [{ key: 'a.csv.gz', etag: 'e' }], fileType: 'csv' } as unknown as JobSpec
  return stageFiles(raw, spec, directory, new AbortController().signal)
}

describe('stageFiles', () => {
  it('refuses a compressed bomb before it fills the disk', async () => {
    await expect(stage(gzipSync(Buffer.alloc(64 * 1024 * 1024, 'a')))).rejects.toThrow(JobFailure)
    expect(statSync(join(directory, '0.csv')).size).toBeLessThan(48 * 1024 * 1024)
  })

  it('takes small files however much they expand', async () => {
    const [staged] = await stage(gzipSync(Buffer.alloc(8 * 1024 * 1024, 'a')))
    expect(statSync(staged?.path ?? '').size).toBe(8 * 1024 * 1024)
  })
})
