import { provided } from '@stepwright/local-server/vitest'
import { afterAll, inject } from 'vitest'
import { createDatabase, type Database } from '../postgres/database.ts'
import type {} from './provided.ts'

/**
 * An empty database for the calling test file, on the server that the global setup `./vitest/setup` started.
 * Call it at the top of the file or in `beforeAll`, before hooks that close pools.
 */
export async function testDatabase(): Promise<Pick<Database, 'url' | 'name'>> {
  const { url, owned } = provided(inject('stepwrightPostgres'), '@stepwright/local-postgres/vitest/setup')
  const database = await createDatabase(url)
  // A server of ours is thrown away whole, without cutting off pools that are still closing.
  if (!owned) afterAll(() => database.drop())
  return { url: database.url, name: database.name }
}
