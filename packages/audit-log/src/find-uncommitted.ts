import type { AuditStore } from './audit-store.ts'

export interface UncommittedOptions {
  /** How many keys are held at a time. @default 1_000_000 */
  readonly windowSize?: number
}

/**
 * The keys, of these in order, that no block of the execution commits: what a writer left that died between storing
 * entries and adding their block. Blocks are read once for every window of keys.
 */
export async function* findUncommitted(
  store: Pick<AuditStore, 'readBlocks'>,
  executionId: string,
  entryKeys: AsyncIterable<string>,
  { windowSize = 1_000_000 }: UncommittedOptions = {},
): AsyncGenerator<string> {
  let open = new Set<string>()
  for await (const entryKey of entryKeys) {
    open.add(entryKey)
    if (open.size < windowSize) continue
    yield* await withoutCommitted(store, executionId, open)
    open = new Set()
  }
  if (open.size > 0) yield* await withoutCommitted(store, executionId, open)
}

async function withoutCommitted(
  store: Pick<AuditStore, 'readBlocks'>,
  executionId: string,
  open: Set<string>,
): Promise<Iterable<string>> {
  for await (const { entryKeys } of store.readBlocks(executionId)) {
    for (const entryKey of entryKeys) open.delete(entryKey)
  }
  return open
}
