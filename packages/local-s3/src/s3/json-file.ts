import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Replaces a JSON file as a whole: a reader sees the old one or the new one. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  const unfinished = `${path}.new`
  await writeFile(unfinished, JSON.stringify(value), { mode: 0o600 })
  await rename(unfinished, path)
}

/** The JSON files of a directory, which is rid of those that were never finished. */
export async function readJsonFiles<T>(directory: string): Promise<T[]> {
  const values: T[] = []
  for (const name of await readdir(directory)) {
    if (name.endsWith('.new')) await rm(join(directory, name), { force: true })
    else if (name.endsWith('.json'))
      values.push(JSON.parse(await readFile(join(directory, name), 'utf8')) as T)
  }
  return values
}
