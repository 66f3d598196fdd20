import { useEffect, useState } from 'preact/hooks'
import type { AppDescription } from '../src/protocol.ts'
import { get, watchConnection } from './api.ts'
import { AppContext } from './app-context.ts'
import { ComparePage } from './pages/compare.tsx'
import { ExecutionPage } from './pages/execution.tsx'
import { ExecutionsPage } from './pages/executions.tsx'
import { FindPage } from './pages/find.tsx'
import { JobsPage } from './pages/jobs.tsx'
import { LogsPage } from './pages/logs.tsx'
import { MailPage } from './pages/mail.tsx'
import { ObjectsPage } from './pages/objects.tsx'
import { QueuesPage } from './pages/queues.tsx'
import { TablesPage } from './pages/tables.tsx'
import { WorkflowPage } from './pages/workflow.tsx'
import { WorkflowsPage } from './pages/workflows.tsx'
import { Problem } from './parts/notice.tsx'
import { linkTo, type Route, useRoute } from './route.ts'
import { useData } from './use-data.ts'

const pages: Readonly<
  Record<string, (props: { readonly query: URLSearchParams }) => preact.JSX.Element | null>
> = {
  executions: ExecutionsPage,
  execution: ExecutionPage,
  workflow: WorkflowPage,
  workflows: WorkflowsPage,
  compare: ComparePage,
  find: FindPage,
  objects: ObjectsPage,
  tables: TablesPage,
  mail: MailPage,
  logs: LogsPage,
  jobs: JobsPage,
  queues: QueuesPage,
}

const titles: Readonly<Record<string, string>> = { mail: 'Mailbox', logs: 'Function calls' }

export function Shell() {
  const route = useRoute()
  const { data: app, error } = useData(() => get<AppDescription>('app'), [])
  const [isConnected, setIsConnected] = useState(true)
  useEffect(() => watchConnection(setIsConnected), [])
  useEffect(() => {
    // On a narrow screen the entries are in a row that scrolls.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [route, app])
  useEffect(() => {
    document.title = app === undefined ? 'Stepwright' : `${titleOf(route)} · ${app.name}`
  }, [route, app])
  if (error !== undefined) return <Problem>{error}</Problem>
  if (app === undefined) return null
  const Page = pages[route.page] ?? ExecutionsPage
  return (
    <AppContext.Provider value={app}>
      <div class="shell">
        <nav aria-label="Console">
          <a class="brand" href={linkTo('executions')}>
            {app.name}
          </a>
          <Entries app={app} route={route} />
        </nav>
        <main>
          {!isConnected && (
            <Problem>
              Not connected: the app has ended, or is just starting. What is shown may be old.
            </Problem>
          )}
          <Page query={route.query} />
        </main>
      </div>
    </AppContext.Provider>
  )
}

/** What a page shows, for the tab of the browser and its history. */
function titleOf({ page, query }: Route): string {
  const shown = query.get('workflow') ?? query.get('arn')?.split(':').at(-1)
  const name = titles[page] ?? `${page.charAt(0).toUpperCase()}${page.slice(1)}`
  return shown ? `${shown} · ${name}` : name
}

function Entries({ app, route }: { readonly app: AppDescription; readonly route: Route }) {
  const entry = (page: string, text: string, query: Readonly<Record<string, string>> = {}, isSub = false) => {
    const isHere =
      route.page === page && Object.entries(query).every(([key, value]) => route.query.get(key) === value)
    const isExact = isHere && (Object.keys(query).length > 0 || !route.query.get('workflow'))
    return (
      <li key={`${page} ${text}`}>
        <a class={isSub ? 'sub' : ''} href={linkTo(page, query)} aria-current={isExact ? 'page' : undefined}>
          {text}
        </a>
      </li>
    )
  }
  return (
    <ul>
      {entry('workflows', 'Workflows')}
      {entry('executions', 'Executions')}
      {app.workflows.map(({ key }) => entry('executions', key, { workflow: key }, true))}
      {entry('find', 'Find')}
      {entry('compare', 'Compare')}
      {app.buckets.length > 0 && entry('objects', 'Objects')}
      {app.tables.length > 0 && entry('tables', 'Tables')}
      {app.hasQueues && entry('queues', 'Queues')}
      {app.hasJobs && entry('jobs', 'Jobs')}
      {entry('mail', 'Mailbox')}
      {entry('logs', 'Function calls')}
    </ul>
  )
}
