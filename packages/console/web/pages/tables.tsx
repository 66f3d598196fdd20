import type { TablePage } from '../../src/protocol.ts'
import { get } from '../api.ts'
import { useApp } from '../app-context.ts'
import { counted } from '../format.ts'
import { Empty, Problem } from '../parts/notice.tsx'
import { Rows } from '../parts/rows.tsx'
import { setQuery } from '../route.ts'
import { usePages } from '../use-pages.ts'
import { TableChangesSection } from './table-changes.tsx'

const maxCharacters = 400

export function TablesPage({ query }: { readonly query: URLSearchParams }) {
  const app = useApp()
  const table = query.get('table') ?? app.tables[0] ?? ''
  const { items, next, isLoaded, error, more, refresh } = usePages<TablePage['items'][number]>({
    load: after => get<TablePage>('table', { table, after }),
    dependencies: [table],
  })
  const columns = [...new Set(items.flatMap(item => Object.keys(item)))]
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Tables</h1>
      </header>
      <div class="filters">
        <select
          aria-label="Table"
          value={table}
          onChange={event => setQuery({ table: event.currentTarget.value })}
        >
          {app.tables.map(name => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <button type="button" onClick={refresh}>
          Read again
        </button>
        {next && (
          <button type="button" onClick={more}>
            Read more
          </button>
        )}
        <span class="muted">{counted(items.length, 'item')}</span>
      </div>
      {error && <Problem>{error}</Problem>}
      {items.length === 0 ? (
        <Empty>{isLoaded && 'No items.'}</Empty>
      ) : (
        <Rows
          label={table}
          columns={columns}
          rows={items.map(item => columns.map(column => textOf(item[column])))}
        />
      )}
      <TableChangesSection table={table} />
    </section>
  )
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxCharacters)
}
