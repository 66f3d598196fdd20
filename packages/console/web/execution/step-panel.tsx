import type { Visit } from '@stepwright/asl-graph'
import { useState } from 'preact/hooks'
import type { StepDescription } from '../../src/protocol.ts'
import { get } from '../api.ts'
import { useApp } from '../app-context.ts'
import { dateTime, duration, time } from '../format.ts'
import { Findings } from '../parts/findings.tsx'
import { Json } from '../parts/json.tsx'
import { Empty, Problem } from '../parts/notice.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { Status } from '../parts/status.tsx'
import { useData } from '../use-data.ts'
import { Cause } from './failure-panel.tsx'
import { stateAt } from './find-node.ts'
import { stateOf } from './findings.ts'
import { ForkDialog } from './fork-dialog.tsx'
import type { LoadedExecution } from './use-execution.ts'
import { explain, type Reason } from './why.ts'

interface StepPanelProps {
  readonly id: string
  readonly execution: LoadedExecution
  readonly visit: Visit | undefined
  /** All visits of the state. */
  readonly visits: readonly Visit[]
  readonly onVisit: (visit: Visit) => void
  readonly onClose: () => void
}

const sections = ['Data', 'Why', 'Events', 'Logs', 'Definition'] as const

export function StepPanel({ id, execution, visit, visits, onVisit, onClose }: StepPanelProps) {
  const { definition, description } = execution
  const state = stateAt(definition, id)
  const name = visit?.name ?? decodeName(id)
  const [section, setSection] = useState<(typeof sections)[number]>('Data')
  const [isForking, setIsForking] = useState(false)
  const place = visit === undefined ? -1 : visits.indexOf(visit)
  const findings = description.findings.filter(({ pointer }) => stateOf(pointer) === id)
  const isTop = /^\/States\/[^/]+$/.test(id)
  return (
    <SidePanel label={`State ${name}`} title={name} what="state" onClose={onClose}>
      <div class="step-facts">
        <span class="muted">{state?.Type}</span>
        {visit ? <Status value={visit.status} /> : <span class="muted">not reached</span>}
        {visit && (
          <span>{visit.exitMs === undefined ? 'still there' : duration(visit.exitMs - visit.enterMs)}</span>
        )}
        {visit && visit.attempts.length > 1 && <span>{visit.attempts.length} attempts</span>}
        {visit?.iteration !== undefined && <span>iteration {visit.iteration}</span>}
        {visit && isTop && (
          <button type="button" class="link" onClick={() => setIsForking(true)}>
            Fork from here
          </button>
        )}
      </div>
      {visits.length > 1 && (
        <div class="visits">
          <button
            type="button"
            disabled={place <= 0}
            onClick={() => onVisit(visits[place - 1] as Visit)}
            aria-label="Earlier visit"
          >
            ‹
          </button>
          visit {(place + 1).toLocaleString('en')} of {visits.length.toLocaleString('en')}
          <button
            type="button"
            disabled={place >= visits.length - 1}
            onClick={() => onVisit(visits[place + 1] as Visit)}
            aria-label="Later visit"
          >
            ›
          </button>
          <FailedVisits visits={visits} onVisit={onVisit} />
        </div>
      )}
      {visit?.error !== undefined && <Cause error={visit.error} cause={visit.cause} />}
      {findings.length > 0 && <Findings findings={findings} />}
      <div class="tabs small" role="tablist" aria-label="About the state">
        {sections.map(one => (
          <button
            key={one}
            type="button"
            role="tab"
            aria-selected={section === one}
            onClick={() => setSection(one)}
          >
            {one}
          </button>
        ))}
      </div>
      <div class="step-body" role="tabpanel" aria-label={section}>
        {section === 'Definition' ? (
          <Json value={state} label="Definition of the state" />
        ) : visit === undefined ? (
          <Empty>The execution did not reach this state.</Empty>
        ) : (
          <VisitSection section={section} execution={execution} visit={visit} id={id} />
        )}
      </div>
      {isForking && <ForkDialog execution={execution} visit={visit} onClose={() => setIsForking(false)} />}
    </SidePanel>
  )
}

function FailedVisits({ visits, onVisit }: Pick<StepPanelProps, 'visits' | 'onVisit'>) {
  const failed = visits.filter(({ status }) => status === 'failed' || status === 'caught')
  const [first] = failed
  if (first === undefined || failed.length === visits.length) return null
  return (
    <button type="button" class="link" onClick={() => onVisit(first)}>
      first of {failed.length} with an error
    </button>
  )
}

function VisitSection({
  section,
  execution,
  visit,
  id,
}: {
  readonly section: string
  readonly execution: LoadedExecution
  readonly visit: Visit
  readonly id: string
}) {
  const { arn } = execution.description
  const { data, error } = useData(
    () => get<StepDescription>('step', { arn, enter: visit.enterId }),
    [arn, visit.enterId, visit.eventIds.length, section === 'Logs' ? execution.calls.length : 0],
  )
  if (section === 'Why') return <Why execution={execution} visit={visit} id={id} />
  if (section === 'Events') return <OwnEvents execution={execution} visit={visit} />
  if (error) return <Problem>{error}</Problem>
  if (!data) return null
  return section === 'Logs' ? <Logs step={data} /> : <Data step={data} />
}

function Data({ step }: { readonly step: StepDescription }) {
  return (
    <>
      {step.stages.map(({ name, value }, index) => (
        <details key={name} open={index === 0 || index === step.stages.length - 1}>
          <summary>
            {name}{' '}
            {index > 0 && same(value, step.stages[index - 1]?.value) && (
              <small class="muted">unchanged</small>
            )}
          </summary>
          <Json value={value} label={name} />
        </details>
      ))}
      {Object.keys(step.variables).length > 0 && (
        <details>
          <summary>Variables</summary>
          <Json value={step.variables} label="Variables" />
        </details>
      )}
    </>
  )
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function Why({
  execution,
  visit,
  id,
}: {
  readonly execution: LoadedExecution
  readonly visit: Visit
  readonly id: string
}) {
  const app = useApp()
  const reasons = explain(visit, stateAt(execution.definition, id), app.errors)
  if (reasons.length === 0) {
    return (
      <Empty>
        {visit.status === 'cancelled'
          ? 'It was cancelled because something else failed, or the execution was stopped.'
          : 'Nothing failed here.'}
      </Empty>
    )
  }
  return (
    <ol class="why">
      {reasons.map(reason => (
        <WhyItem key={reason.number} reason={reason} />
      ))}
    </ol>
  )
}

function WhyItem({
  reason: { attempt, number, happened, otherwise, rule, source, error },
}: {
  readonly reason: Reason
}) {
  const { retry } = error ?? {}
  return (
    <li>
      <p>
        <b>Attempt {number}</b> <span class="muted">{time(attempt.scheduledMs)}</span>
      </p>
      <p>{happened}</p>
      {otherwise !== '' && <p class="muted">{otherwise}</p>}
      {error && (
        <p class="muted">
          {error.kind === 'retryable'
            ? 'A retryable error'
            : 'A business error: the same call will never succeed'}
          , declared by {error.tasks.join(', ')}
          {retry && `; its own policy: ${policyText(retry)}`}.
        </p>
      )}
      {source && (
        <details>
          <summary>{rule}</summary>
          <Json value={source} label={rule ?? 'Rule'} />
        </details>
      )}
      <details>
        <summary>Error and cause</summary>
        <Cause error={attempt.error} cause={attempt.cause} />
      </details>
    </li>
  )
}

function policyText(retry: Readonly<Record<string, unknown>>): string {
  return Object.entries(retry)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(', ')
}

function OwnEvents({ execution, visit }: { readonly execution: LoadedExecution; readonly visit: Visit }) {
  const ids = new Set(visit.eventIds)
  return (
    <ol class="own-events">
      {execution.events
        .filter(({ id }) => ids.has(id))
        .slice(0, 300)
        .map(({ id, type, timestamp }) => (
          <li key={id}>
            <span class="number">{id}</span> {type} <span class="muted">{dateTime(timestamp)}</span>
          </li>
        ))}
    </ol>
  )
}

function Logs({ step }: { readonly step: StepDescription }) {
  if (step.calls.length === 0)
    return <Empty>No function call of this state has been heard of since the app was started.</Empty>
  return (
    <>
      {step.calls.map(({ requestId, functionName, startMs, endMs, error, log, retryCount }) => (
        <details key={requestId} open>
          <summary>
            {functionName} <span class="muted">{duration(endMs - startMs)}</span>
            {retryCount ? <small class="tag">retry {retryCount}</small> : null}
            {error && <span class="bad-text"> {error}</span>}
          </summary>
          <pre class="log">{log || 'It printed nothing.'}</pre>
        </details>
      ))}
    </>
  )
}

function decodeName(id: string): string {
  return (id.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~')
}
