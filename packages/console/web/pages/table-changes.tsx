import type { TableChanges } from '../../src/protocol.ts'
import { get } from '../api.ts'
import { dateTime } from '../format.ts'
import { Problem } from '../parts/notice.tsx'
import { Rows } from '../parts/rows.tsx'
import { useData } from '../use-data.ts'

const againMs = 1000
const maxCharacters = 200

/** The latest changes of a table that has a stream, and which attribute ends its items. */
export function TableChangesSection({ table }: { readonly table: string }) {
  const { data, error } = useData(() => get<TableChanges>('table-changes', { table }), [table], againMs)
  if (error) return <Problem>{error}</Problem>
  if (data === undefined) return null
  const { timeToLive, viewType, changes } = data
  return (
    <>
      {timeToLive !== undefined && (
        <p class="muted">Items end at the time in {timeToLive}: expired items are deleted every minute.</p>
      )}
      {(viewType !== undefined || changes.length > 0) && (
        <>
          <h2>Stream</h2>
          <p class="muted">
            {viewType ?? 'Off'}. {changes.length === 0 ? 'No changes yet.' : 'The latest changes first.'}
          </p>
          {changes.length > 0 && (
            <Rows
              label={`Changes of ${table}`}
              columns={['At', 'Change', 'Keys', 'Before', 'After']}
              rows={changes.map(({ atMs, event, keys, before, after }) => [
                dateTime(atMs),
                event,
                ...[keys, before, after].map(textOf),
              ])}
            />
          )}
        </>
      )}
    </>
  )
}

function textOf(item: Readonly<Record<string, unknown>> | undefined): string {
  return item === undefined ? '' : JSON.stringify(item).slice(0, maxCharacters)
}
