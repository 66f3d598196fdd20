import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testSealStore } from '@stepwright/audit-log/testing'
import { onTestFinished } from 'vitest'
import { createDirectorySealStore } from './directory-seal-store.ts'

testSealStore('a directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'seals-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return createDirectorySealStore({ directory })
})
