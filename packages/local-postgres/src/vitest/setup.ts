import { shareService } from '@stepwright/local-server/vitest'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../postgres.ts'
import type {} from './provided.ts'

/** Vitest's global setup: one PostgreSQL for the whole run, or that of TEST_DATABASE_URL. */
export const setup: (project: TestProject) => Promise<() => Promise<void>> = shareService(
  'postgres',
  () => startPostgres({ databaseUrl: process.env['TEST_DATABASE_URL'] ?? '' }),
  (project, { url, owned }) => project.provide('stepwrightPostgres', { url, owned }),
)
