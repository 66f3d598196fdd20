import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import { type FoundSecret, findSecrets } from './find-secrets.ts'

export interface FileSecret extends FoundSecret {
  readonly file: string
}

const maxFileBytes = 8_388_608

/** What looks like a secret in the files that are, or would be, under version control. */
export async function scanFiles(directory: string): Promise<readonly FileSecret[]> {
  const { stdout } = await runCommand(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: directory },
  )
  const found: FileSecret[] = []
  for (const file of new Set(stdout.split('\0').filter(name => name !== ''))) {
    const text = await readText(join(directory, file))
    found.push(...findSecrets(text).map(secret => ({ file, ...secret })))
  }
  return found
}

/** Empty for what is deleted, a folder, binary or too large to have been written by hand. */
async function readText(path: string): Promise<string> {
  const facts = await stat(path).catch(() => undefined)
  if (facts === undefined || !facts.isFile() || facts.size > maxFileBytes) return ''
  const text = await readFile(path, 'latin1')
  return text.includes('\0') ? '' : text
}
