import { purgeRows } from '@stepwright/batch-writer/tasks'
import { databaseErrors } from './errors.ts'

/** For a schedule: forgets who was written to, a good while after a campaign has ended. */
export const purgeRecipients = /* @__PURE__ */ purgeRows({ name: 'purge-recipients', errors: databaseErrors })
