import type { App } from '@stepwright/app'

/** The names of a table's indexes. */
export function indexesOf({ resources }: App, table: string): readonly string[] {
  const indexes: readonly { readonly IndexName: string | undefined }[] =
    resources?.tables?.[table]?.GlobalSecondaryIndexes ?? []
  return indexes.flatMap(({ IndexName }) => IndexName ?? [])
}
