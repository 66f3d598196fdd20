import { allNodes, toGraph, type Visit } from '@stepwright/asl-graph'
import { useMemo, useState } from 'preact/hooks'
import { post, save } from '../api.ts'
import { useApp } from '../app-context.ts'
import { AuditTab } from '../execution/audit-tab.tsx'
import { Cost } from '../execution/cost.tsx'
import { EventsTab } from '../execution/events-tab.tsx'
import { FailurePanel } from '../execution/failure-panel.tsx'
import { countFindings } from '../execution/findings.ts'
import { ForkDialog } from '../execution/fork-dialog.tsx'
import { MapRuns } from '../execution/map-runs.tsx'
import { StatesTab } from '../execution/states-tab.tsx'
import { StepPanel } from '../execution/step-panel.tsx'
import { StopDialog } from '../execution/stop-dialog.tsx'
import { type LoadedExecution, useExecution } from '../execution/use-execution.ts'
import { Waterfall } from '../execution/waterfall.tsx'
import { count, dateTime, duration, timeZone } from '../format.ts'
import { Graph } from '../parts/graph.tsx'
import { Json } from '../parts/json.tsx'
import { Problem } from '../parts/notice.tsx'
import { Status } from '../parts/status.tsx'
import { linkTo, setQuery } from '../route.ts'
import { useNow } from '../use-now.ts'
import { StartDialog } from './start.tsx'

const tabs = [
  ['graph', 'Graph'],
  ['states', 'States'],
  ['waterfall', 'Waterfall'],
  ['events', 'Events'],
  ['data', 'Input and output'],
  ['definition', 'Definition'],
] as const

export function ExecutionPage({ query }: { readonly query: URLSearchParams }) {
  const arn = query.get('arn') ?? ''
  const { execution, error } = useExecution(arn)
  if (error) return <Problem>{error}</Problem>
  if (!execution) return null
  return <Execution key={arn} execution={execution} query={query} />
}

function Execution({
  execution,
  query,
}: {
  readonly execution: LoadedExecution
  readonly query: URLSearchParams
}) {
  const app = useApp()
  const { description, definition, visits } = execution
  const tab = query.get('tab') ?? 'graph'
  const selected = query.get('state') ?? undefined
  const enter = Number(query.get('enter')) || undefined
  const nodes = useMemo(
    () => new Map(allNodes(toGraph(definition)).map(node => [node.id, node])),
    [definition],
  )
  const idOf = useMemo(() => new Map([...nodes.values()].map(({ name, id }) => [name, id])), [nodes])
  const own = selected === undefined ? [] : visits.filter(({ name }) => name === nodes.get(selected)?.name)
  const visit = own.find(({ enterId }) => enterId === enter) ?? own.at(-1)
  const choose = (chosen: Visit): void =>
    setQuery({ state: idOf.get(chosen.name), enter: String(chosen.enterId) })
  const findings = useMemo(() => countFindings(description.findings), [description.findings])
  const allTabs = app.hasAudit ? [...tabs, ['audit', 'Audit trail'] as const] : tabs

  return (
    <section class="page execution" aria-labelledby="title">
      <Head execution={execution} visit={visit} />
      {description.error !== undefined && <FailurePanel execution={execution} onVisit={choose} />}
      {execution.mapRuns.length > 0 && <MapRuns runs={execution.mapRuns} />}
      <div class="tabs" role="tablist" aria-label="Views">
        {allTabs.map(([key, text]) => (
          <button
            key={key}
            type="button"
            role="tab"
            aria-selected={tab === key}
            onClick={() => setQuery({ tab: key })}
          >
            {text}
          </button>
        ))}
      </div>
      <div class={selected ? 'split' : 'split alone'}>
        <div class="tab" role="tabpanel" aria-label={allTabs.find(([key]) => key === tab)?.[1] ?? ''}>
          {tab === 'graph' && (
            <Graph
              definition={definition}
              label={`${description.workflow}, ${description.name}`}
              events={execution.events}
              version={execution.version}
              mapRuns={execution.mapRuns}
              findings={findings}
              selected={selected}
              onSelect={({ id }) => setQuery({ state: id, enter: undefined })}
            />
          )}
          {tab === 'states' && <StatesTab execution={execution} selected={visit} onSelect={choose} />}
          {tab === 'waterfall' && <Waterfall execution={execution} selected={visit} onSelect={choose} />}
          {tab === 'events' && (
            <EventsTab
              execution={execution}
              onVisit={choose}
              first={Number(query.get('event')) || undefined}
            />
          )}
          {tab === 'data' && (
            <div class="side-by-side">
              <div>
                <h2>Input</h2>
                <Json value={description.input} label="Input" />
              </div>
              <div>
                <h2>Output</h2>
                {description.output === undefined ? (
                  <p class="empty">None.</p>
                ) : (
                  <Json value={description.output} label="Output" />
                )}
              </div>
            </div>
          )}
          {tab === 'definition' && <Json value={definition} label="Definition" />}
          {tab === 'audit' && <AuditTab arn={description.arn} />}
        </div>
        {selected !== undefined && (
          <StepPanel
            key={`${selected} ${visit?.enterId}`}
            id={selected}
            execution={execution}
            visit={visit}
            visits={own}
            onVisit={choose}
            onClose={() => setQuery({ state: undefined, enter: undefined })}
          />
        )}
      </div>
    </section>
  )
}

function Head({
  execution,
  visit,
}: {
  readonly execution: LoadedExecution
  readonly visit: Visit | undefined
}) {
  const { description, events } = execution
  const [problem, setProblem] = useState<string>()
  const [dialog, setDialog] = useState<'again' | 'fork' | 'stop'>()
  const { arn, name, workflow, status, startMs, stopMs, redriveCount, parent, forkOf, forks } = description
  const isRunning = status === 'RUNNING'
  const now = useNow(isRunning)
  const end = stopMs ?? (isRunning ? Math.max(now, startMs) : (events.at(-1)?.timestamp ?? startMs))
  const redrive = async (): Promise<void> => {
    try {
      await post('redrive', { arn })
      setProblem(undefined)
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  const download = async (): Promise<void> => {
    try {
      const full = await post<{ events: unknown }>('events', { arn })
      save(`${name}.json`, JSON.stringify({ ...description, events: full.events }, null, 2))
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <>
      <header class="page-head">
        <div class="crumbs">
          <a href={linkTo('executions', { workflow })}>{workflow}</a>
          <h1 id="title">{name}</h1>
          <Status value={status} />
        </div>
        <span class="grow" />
        {isRunning && (
          <button type="button" class="danger" onClick={() => setDialog('stop')}>
            Stop
          </button>
        )}
        {description.canRedrive && (
          <button type="button" class="primary" onClick={redrive}>
            Redrive
          </button>
        )}
        {parent === undefined && (
          <button type="button" onClick={() => setDialog('again')}>
            Run again
          </button>
        )}
        <button type="button" onClick={() => setDialog('fork')}>
          Fork
        </button>
        <a class="button" href={linkTo('compare', { a: arn })}>
          Compare
        </a>
        <button type="button" onClick={download}>
          Export
        </button>
      </header>
      <dl class="facts">
        <Fact name={`Started (${timeZone})`}>{dateTime(startMs)}</Fact>
        <Fact name="Ended">{stopMs === undefined ? '–' : dateTime(stopMs)}</Fact>
        <Fact name="Duration">{duration(end - startMs)}</Fact>
        <Fact name="Events">{count(events.length)}</Fact>
        <Fact name="Cost">
          <Cost cost={execution.cost} />
        </Fact>
        {redriveCount > 0 && <Fact name="Redriven">{redriveCount} ×</Fact>}
        <Related name="Child of" arns={parent === undefined ? [] : [parent]} />
        <Related name="Fork of" arns={forkOf === undefined ? [] : [forkOf]} />
        <Related name="Forks" arns={forks} />
      </dl>
      {problem && <Problem>{problem}</Problem>}
      {dialog === 'again' && (
        <StartDialog workflow={workflow} input={description.input} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'stop' && <StopDialog arn={arn} name={name} onClose={() => setDialog(undefined)} />}
      {dialog === 'fork' && (
        <ForkDialog execution={execution} visit={visit} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}

function Related({ name, arns }: { readonly name: string; readonly arns: readonly string[] }) {
  if (arns.length === 0) return null
  return (
    <Fact name={name}>
      {arns.map(arn => (
        <a key={arn} href={linkTo('execution', { arn })}>
          {arn.split(':').at(-1)}
        </a>
      ))}
    </Fact>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
