import { useEffect, useState } from 'preact/hooks'
import type { TablePage } from '../../src/protocol.ts'
import { get } from '../api.ts'
import { useApp } from '../app-context.ts'
import { Empty, Problem } from '../parts/notice.tsx'
import { Rows } from '../parts/rows.tsx'
import { setQuery } from '../route.ts'

const maxCharacters = 400

export function TablesPage({ query }: { readonly query: URLSearchParams }) {
  const app = useApp()
  const table = query.get('table') ?? app.tables[0] ?? ''
  const [page, setPage] = useState<TablePage>({ items: [], next: undefined })
  const [error, setError] = useState<string>()
  const load = async (before: TablePage): Promise<void> => {
    try {
      const next = await get<TablePage>('table', { table, after: before.next })
      setPage({ items: [...before.items, ...next.items], next: next.next })
      setError(undefined)
    } catch (problem) {
      setError((problem as Error).message)
    }
  }
  useEffect(() => void load({ items: [], next: undefined }), [table])
  const columns = [...new Set(page.items.flatMap(item => Object.keys(item)))]
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
        <button type="button" onClick={() => void load({ items: [], next: undefined })}>
          Read again
        </button>
        {page.next && (
          <button type="button" onClick={() => void load(page)}>
            Read more
          </button>
        )}
        <span class="muted">{page.items.length} items</span>
      </div>
      {error && <Problem>{error}</Problem>}
      {page.items.length === 0 ? (
        <Empty>No items.</Empty>
      ) : (
        <Rows
          label={table}
          columns={columns}
          rows={page.items.map(item => columns.map(column => textOf(item[column])))}
        />
      )}
    </section>
  )
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxCharacters)
}
