import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Campaigns } from './campaigns.ts'
import { databaseErrors } from './errors.ts'

/** For a schedule: how many imports have been 取込中 for too long, as the metric that the alarm watches. */
export const findStaleImports = defineTask({
  name: 'find-stale-imports',
  input: z.object({ stale_after_minutes: z._default(z.int().check(z.positive()), 30) }),
  output: z.object({ campaign_ids: z.array(z.string()) }),
  errors: databaseErrors,
  async run({ stale_after_minutes }, { campaigns }: { campaigns: Campaigns }, { now, logger, metrics }) {
    const stale = await campaigns.stale(now() - stale_after_minutes * 60_000)
    metrics.add('StaleImports', stale.length)
    for (const { campaign_id, revision, updated_at } of stale) {
      logger.warn('import does not come to its end', { campaign_id, revision, since: updated_at })
    }
    return { campaign_ids: stale.map(({ campaign_id }) => campaign_id) }
  },
})
