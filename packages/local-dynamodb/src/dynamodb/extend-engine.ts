import { withRefusedItems } from './condition-failure.ts'
import type { Engine } from './engine.ts'
import { withItemCollections } from './item-collections.ts'
import type { OpenedEngine } from './open-engine.ts'
import { withInserts } from './partiql-insert.ts'
import { withRefusals } from './refused-requests.ts'
import { removeOldTokens } from './request-tokens.ts'
import { withStreams } from './stream-requests.ts'
import { openStreams } from './streams.ts'
import { withTableRequests } from './table-requests.ts'
import { openTableSettings } from './table-settings.ts'
import { withTags } from './tags.ts'
import { deleteExpiredItems, withTimeToLive } from './time-to-live.ts'
import { withTransactions } from './transactions.ts'

export interface ExtendedEngine {
  readonly engine: Engine
  /** Deletes the items whose time to live has passed. */
  deleteExpiredItems(): Promise<number>
  /** Removes all that is too old: items, records of streams, request tokens. */
  sweep(): Promise<void>
}

/** dynalite with what it does not have. */
export async function extendEngine(
  { engine, store }: OpenedEngine,
  now: () => number,
): Promise<ExtendedEngine> {
  const settings = await openTableSettings(store)
  const streams = await openStreams(store, now)
  const withTables = withTableRequests(withTags(engine, store), { store, settings, streams, now })
  const withTtl = withTimeToLive(withTables, { store, settings })
  const withAll = withTransactions(withStreams(withTtl, streams, now), { store, now, commit: streams.commit })
  const expire = (): Promise<number> => deleteExpiredItems({ store, settings }, streams, now())
  return {
    engine: withRefusals(withRefusedItems(withInserts(withItemCollections(withAll, store)))),
    deleteExpiredItems: expire,
    async sweep() {
      await expire()
      await streams.trim()
      await removeOldTokens(store, now())
    },
  }
}
