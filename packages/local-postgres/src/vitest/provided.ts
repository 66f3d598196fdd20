import type { Postgres } from '../postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stepwrightPostgres: Pick<Postgres, 'url' | 'owned'> | undefined
  }
}
