import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The commands under "A release" in docs/publishing.md, in order, without their comments. */
export async function readRecipe(workspace: string): Promise<string[]> {
  const guide = await readFile(join(workspace, 'docs/publishing.md'), 'utf8')
  const [, lines = ''] = /^## A release$[\s\S]*?^```sh\n([\s\S]*?)^```/m.exec(guide) ?? []
  return lines
    .split('\n')
    .map(line => line.replace(/ +#.*/, ''))
    .filter(line => line !== '')
}
