import { bindFrom } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { purgeRows } from '@stepwright/batch-writer/tasks'
import { database } from '../bindings.ts'
import { databaseErrors } from '../errors.ts'

/** For a schedule: forgets who was written to, a good while after a campaign has ended. */
const purgeRecipients = purgeRows({ name: 'purge-recipients', errors: databaseErrors })
const purge = bindFrom(database, async opened =>
  (await import('../purge-recipients.ts')).createRecipientPurge(opened),
)

export const PurgeRecipients = lambda(purgeRecipients, { purge }, { timeoutSeconds: 280 })
