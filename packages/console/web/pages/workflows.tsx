import { useEffect } from 'preact/hooks'
import type { WorkflowSummary } from '../../src/protocol.ts'
import { get, listen } from '../api.ts'
import { useApp } from '../app-context.ts'
import { count, dateTime, timeZone } from '../format.ts'
import { Problem } from '../parts/notice.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { linkTo } from '../route.ts'
import { useData } from '../use-data.ts'

const columns = [
  ['Running', ['RUNNING', 'PENDING_REDRIVE']],
  ['Succeeded', ['SUCCEEDED']],
  ['Failed', ['FAILED', 'TIMED_OUT']],
  ['Stopped', ['ABORTED']],
] as const

/** The app's state machines, and how their executions went. */
export function WorkflowsPage() {
  const app = useApp()
  const { data, error, reload } = useData(
    () => get<{ workflows: readonly WorkflowSummary[] }>('workflows'),
    [],
  )
  useEffect(
    () => listen({}, ({ topic }) => void ((topic === 'executions' || topic === 'missed') && reload())),
    [],
  )
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Workflows</h1>
      </header>
      {error && <Problem>{error}</Problem>}
      <TableBox label="Workflows">
        <thead>
          <tr>
            <th>Workflow</th>
            {columns.map(([title]) => (
              <th key={title} class="number">
                {title}
              </th>
            ))}
            <th>Latest ({timeZone})</th>
            <th>Type</th>
            <th>Definition</th>
          </tr>
        </thead>
        <tbody>
          {app.workflows.map(({ key, type }) => {
            const { counts = {}, latestMs } = data?.workflows.find(one => one.key === key) ?? {}
            return (
              <tr key={key}>
                <td>
                  <a href={linkTo('executions', { workflow: key })}>{key}</a>
                </td>
                {columns.map(([title, statuses]) => {
                  const number = statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
                  return (
                    <td key={title} class={title === 'Failed' && number > 0 ? 'number bad-text' : 'number'}>
                      {number === 0 ? (
                        0
                      ) : (
                        <a href={linkTo('executions', { workflow: key, status: statuses.join(',') })}>
                          {count(number)}
                        </a>
                      )}
                    </td>
                  )
                })}
                <td>{latestMs === undefined ? '' : dateTime(latestMs)}</td>
                <td>{type.toLowerCase()}</td>
                <td>
                  <a href={linkTo('workflow', { workflow: key })}>definition</a>
                </td>
              </tr>
            )
          })}
        </tbody>
      </TableBox>
    </section>
  )
}
