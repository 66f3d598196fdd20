import { useEffect, useState } from 'preact/hooks'
import type { ListedExecution, ExecutionPage as Page } from '../../src/protocol.ts'
import { get, listen } from '../api.ts'
import { useApp } from '../app-context.ts'
import { count, dateTime, duration } from '../format.ts'
import { Empty, Problem } from '../parts/notice.tsx'
import { Status } from '../parts/status.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { linkTo, setQuery } from '../route.ts'
import { StartDialog } from './start.tsx'

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
  const [page, setPage] = useState<Page>()
  const [error, setError] = useState<string>()
  const [isStarting, setIsStarting] = useState(false)

  const load = async (offset: number, before: readonly ListedExecution[]): Promise<void> => {
    try {
      const from = age === '' ? 0 : Date.now() - Number(age)
      const next = await get<Page>('executions', { workflow, status, search, from, offset })
      setPage({ ...next, executions: [...before, ...next.executions] })
      setError(undefined)
    } catch (problem) {
      setError((problem as Error).message)
    }
  }
  useEffect(() => {
    void load(0, [])
    let timer: number | undefined
    const end = listen({}, message => {
      if (message.topic !== 'executions' || timer !== undefined) return
      timer = window.setTimeout(() => {
        timer = undefined
        void load(0, [])
      }, 200)
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [workflow, status, search, age])

  const executions = page?.executions ?? []
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{workflow === '' ? 'Executions' : workflow}</h1>
        <span class="muted">{page && `${count(page.total)}${page.isComplete ? '' : '+'}`}</span>
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
        <input
          type="search"
          placeholder="Name"
          aria-label="Name contains"
          value={search}
          onInput={event => setQuery({ search: event.currentTarget.value })}
        />
        <select
          aria-label="Status"
          value={status}
          onChange={event => setQuery({ status: event.currentTarget.value })}
        >
          <option value="">any status</option>
          {statuses.map(one => (
            <option key={one} value={one}>
              {one.replace('_', ' ').toLowerCase()}
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
      {page && executions.length === 0 && <Empty>No executions.</Empty>}
      {executions.length > 0 && (
        <VirtualList
          items={executions}
          rowHeight={32}
          label="Executions"
          className="fill executions"
          onEnd={() => page && executions.length < page.total && void load(executions.length, executions)}
          header={
            <div class="row">
              <span>Name</span>
              <span>Workflow</span>
              <span>Status</span>
              <span>Started</span>
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
