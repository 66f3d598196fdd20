import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OutputDirectoryError } from '../output-directory.ts'

/**
 * Deletes an earlier bundle: `index.mjs` and files with a hash in their name.
 * @throws OutputDirectoryError for a directory with other files
 */
export function removeBundle(directory: string): void {
  if (!existsSync(directory)) return
  const files = readdirSync(directory)
  const other = files.find(file => !/^(index|.+-[A-Z0-9]{8})\.mjs$/.test(file))
  if (other !== undefined)
    throw new OutputDirectoryError(
      `${directory} has a file that is not part of a bundle, ${other}: name another directory`,
    )
  for (const file of files) rmSync(join(directory, file))
}
