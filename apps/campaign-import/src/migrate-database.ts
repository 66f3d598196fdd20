import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { databaseErrors } from './errors.ts'

export interface MigratePorts {
  readonly migrate: () => Promise<void>
}

/** Runs at each deployment, before anything else: the tables as this version needs them. */
export const migrateDatabase = defineTask({
  name: 'migrate-database',
  input: z.object({}),
  output: z.object({}),
  errors: databaseErrors,
  async run(_, { migrate }: MigratePorts) {
    await migrate()
    return {}
  },
})
