import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

const cacheDirectory = join(import.meta.dirname, '../../../.cache/bench')

/**
 * The path of a big data file that is generated once. Put the seed and a version into the name:
 * a file of that name is never generated again.
 */
export async function cachedFile(name: string, generate: (path: string) => Promise<void>): Promise<string> {
  const path = join(cacheDirectory, name)
  if (existsSync(path)) return path
  mkdirSync(cacheDirectory, { recursive: true })
  const unfinished = `${path}.${process.pid}.part`
  await generate(unfinished)
  renameSync(unfinished, path)
  return path
}
