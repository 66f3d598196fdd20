import { useState } from 'preact/hooks'
import type { ListedExecution, ExecutionPage as Page } from '../../src/protocol.ts'
import { get } from '../api.ts'
import { useApp } from '../app-context.ts'
import { count, dateTime, duration, timeZone } from '../format.ts'
import { Empty, Problem } from '../parts/notice.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Status } from '../parts/status.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { linkTo, setQuery } from '../route.ts'
import { usePages } from '../use-pages.ts'
import { StartDialog } from './start.tsx'

const expressMs = 2000
const statuses = ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']
const ages: readonly (readonly [string, string])[] = [
  ['', 'any time'],
  ['300000', 'last 5 minutes'],
  ['3600000', 'last hour'],
  ['86400000', 'last day'],
]

export function ExecutionsPage({ query }: { readonly query: URLSearchParams }) {
  const app = useApp()
  const workflow = query.get('workflow') ?? ''
  const status = query.get('status') ?? ''
  const search = query.get('search') ?? ''
  const age = query.get('age') ?? ''
  const [isStarting, setIsStarting] = useState(false)
  const hasExpress = app.workflows.some(
    ({ key, type }) => type === 'EXPRESS' && (workflow === '' || workflow === key),
  )
  const [isComplete, setIsComplete] = useState(true)
  const { items, total, isLoaded, error, more } = usePages<ListedExecution>({
    async load(after, limit) {
      const from = age === '' ? 0 : Date.now() - Number(age)
      const offset = Number(after ?? 0)
      const page = await get<Page>('executions', { workflow, status, search, from, offset, limit })
      setIsComplete(page.isComplete)
      const end = offset + page.executions.length
      return {
        items: page.executions,
        total: page.total,
        next: end < page.total ? String(end) : undefined,
      }
    },
    dependencies: [workflow, status, search, age],
    topic: 'executions',
    againMs: hasExpress ? expressMs : undefined, // nobody tells of Express executions
  })
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{workflow === '' ? 'Executions' : workflow}</h1>
        <span class="muted">{total !== undefined && `${count(total)}${isComplete ? '' : '+'}`}</span>
        <span class="grow" />
        {workflow !== '' && (
          <a class="button" href={linkTo('workflow', { workflow })}>
            Definition
          </a>
        )}
        <button
          type="button"
          class="primary"
          onClick={() => setIsStarting(true)}
          disabled={app.workflows.length === 0}
        >
          Start execution
        </button>
      </header>
      <div class="filters">
        <SearchField
          label="Name contains"
          placeholder="Name"
          value={search}
          onSearch={text => setQuery({ search: text })}
        />
        <select
          aria-label="Status"
          value={status}
          onChange={event => setQuery({ status: event.currentTarget.value })}
        >
          <option value="">any status</option>
          {[...statuses, ...(status === '' || statuses.includes(status) ? [] : [status])].map(one => (
            <option key={one} value={one}>
              {one.replaceAll('_', ' ').replaceAll(',', ' or ').toLowerCase()}
            </option>
          ))}
        </select>
        <select
          aria-label="Started"
          value={age}
          onChange={event => setQuery({ age: event.currentTarget.value })}
        >
          {ages.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
      {error && <Problem>{error}</Problem>}
      {isLoaded && items.length === 0 && <Empty>No executions.</Empty>}
      {items.length > 0 && (
        <VirtualList
          items={items}
          rowHeight={32}
          label="Executions"
          className="fill executions"
          onEnd={more}
          header={
            <div class="row">
              <span>Name</span>
              <span>Workflow</span>
              <span>Status</span>
              <span>Started ({timeZone})</span>
              <span class="number">Duration</span>
            </div>
          }
          draw={one => (
            <a class="row" href={linkTo('execution', { arn: one.arn })}>
              <span class="name">
                {one.name}
                {one.forkOf !== undefined && <small class="tag">fork</small>}
                {one.redriveCount > 0 && <small class="tag">redriven {one.redriveCount} ×</small>}
              </span>
              <span>{one.workflow}</span>
              <span>
                <Status value={one.status} />
              </span>
              <span>{dateTime(one.startMs)}</span>
              <span class="number">{one.stopMs === undefined ? '' : duration(one.stopMs - one.startMs)}</span>
            </a>
          )}
        />
      )}
      {isStarting && (
        <StartDialog
          workflow={workflow || (app.workflows[0]?.key ?? '')}
          onClose={() => setIsStarting(false)}
        />
      )}
    </section>
  )
}
