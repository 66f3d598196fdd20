import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Campaigns, Recipients } from './campaigns.ts'
import { databaseErrors, SupersededError } from './errors.ts'
import { campaignRun } from './schemas.ts'

export interface RecipientPorts {
  readonly campaigns: Campaigns
  readonly recipients: Recipients
}

const batchSize = 20_000

/** State 0: what earlier imports have brought goes away. */
export const deleteExistingRecipients = defineTask({
  name: 'delete-existing-recipients',
  input: campaignRun,
  output: z.object({ deleted: z.int() }),
  errors: [SupersededError, ...databaseErrors],
  async run(run, { campaigns, recipients }: RecipientPorts, { signal }) {
    await campaigns.requireCurrent(run)
    return { deleted: await deleteInBatches(limit => recipients.deleteEarlier(run, limit), signal) }
  },
})

/** Small transactions: none of them holds up the others or the vacuum. */
export async function deleteInBatches(
  deleteUpTo: (limit: number) => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0
  for (;;) {
    signal.throwIfAborted()
    const count = await deleteUpTo(batchSize)
    deleted += count
    if (count < batchSize) return deleted
  }
}
