import { join } from 'node:path'

export const repositoryRoot: string = join(import.meta.dirname, '../../..')
