import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const repositoryRoot: string = join(import.meta.dirname, '../../..')

const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'))

/** Where its files are shown; `blob/main/` and a path follow. */
export const repositoryUrl: string = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
