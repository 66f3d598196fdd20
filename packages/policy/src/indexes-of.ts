import type { AnyApp } from '@stepwright/app'

/** The names of a table's indexes. */
export function indexesOf({ resources }: AnyApp, table: string): readonly string[] {
  const indexes: readonly { readonly IndexName: string | undefined }[] =
    resources?.tables?.[table]?.GlobalSecondaryIndexes ?? []
  return indexes.flatMap(({ IndexName }) => IndexName ?? [])
}
