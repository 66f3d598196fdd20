import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SealRecord, SealStore } from '@stepwright/audit-log'
import { toTaskError } from '@stepwright/errors'

/** Seals as files of a directory. */
export function createDirectorySealStore({ directory }: { readonly directory: string }): SealStore {
  const fileOf = (executionId: string, generation: number) =>
    join(directory, `${encodeURIComponent(executionId)} ${generation}.json`)

  async function readSeal(executionId: string, generation = 1): Promise<SealRecord | undefined> {
    try {
      return JSON.parse(await readFile(fileOf(executionId, generation), 'utf8'))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw toTaskError(error)
    }
  }

  return {
    readSeal,
    async putSeal(seal) {
      const { executionId, generation = 1 } = seal
      const file = fileOf(executionId, generation)
      const draft = `${file}.${crypto.randomUUID()}`
      try {
        await mkdir(directory, { recursive: true })
        await writeFile(draft, JSON.stringify(seal))
        await link(draft, file) // refused if somebody was first: no seal is ever replaced, or seen half written
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw toTaskError(error)
      } finally {
        await rm(draft, { force: true })
      }
      return (await readSeal(executionId, generation)) ?? seal
    },
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
