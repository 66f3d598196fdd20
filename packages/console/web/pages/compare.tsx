import type { Visit } from '@stepwright/asl-graph'
import type { ExecutionPage as Page } from '../../src/protocol.ts'
import { get, post } from '../api.ts'
import { comparePaths, firstDifference } from '../execution/difference.ts'
import { type LoadedExecution, useExecution } from '../execution/use-execution.ts'
import { dateTime, duration } from '../format.ts'
import { Json } from '../parts/json.tsx'
import { Empty, Problem } from '../parts/notice.tsx'
import { Status } from '../parts/status.tsx'
import { linkTo, setQuery } from '../route.ts'
import { useData } from '../use-data.ts'

/** Two executions: where they first differ in path, payload and time. */
export function ComparePage({ query }: { readonly query: URLSearchParams }) {
  const a = query.get('a') ?? ''
  const b = query.get('b') ?? ''
  const { data, error } = useData(() => get<Page>('executions', {}), [])
  const choice = (key: 'a' | 'b', value: string) => (
    <select
      aria-label={key === 'a' ? 'First execution' : 'Second execution'}
      value={value}
      onChange={event => setQuery({ [key]: event.currentTarget.value })}
    >
      <option value="">choose an execution</option>
      {value !== '' && !data?.executions.some(({ arn }) => arn === value) && (
        <option value={value}>{value.split(':').at(-1)}</option>
      )}
      {data?.executions.map(({ arn, name, workflow, status, startMs }) => (
        <option key={arn} value={arn}>
          {`${workflow} · ${name} · ${status.toLowerCase()} · ${dateTime(startMs)}`}
        </option>
      ))}
    </select>
  )
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Compare</h1>
      </header>
      <div class="filters choices">
        {choice('a', a)}
        {choice('b', b)}
      </div>
      {error && <Problem>{error}</Problem>}
      {a !== '' && b !== '' ? <Both a={a} b={b} /> : <Empty>Choose two executions.</Empty>}
    </section>
  )
}

function Both({ a, b }: { readonly a: string; readonly b: string }) {
  const first = useExecution(a)
  const second = useExecution(b)
  const problem = first.error ?? second.error
  if (problem) return <Problem>{problem}</Problem>
  if (!first.execution || !second.execution) return null
  return <Comparison a={first.execution} b={second.execution} />
}

function Comparison({ a, b }: { readonly a: LoadedExecution; readonly b: LoadedExecution }) {
  const steps = comparePaths(a.visits, b.visits)
  const apart = steps.findIndex(({ isSame }) => !isSame)
  const shared = apart === -1 ? steps : steps.slice(0, apart + 1)
  const slowest = steps
    .filter(step => step.a?.name === step.b?.name)
    .map(step => ({ name: step.a?.name ?? '', a: lengthOf(step.a), b: lengthOf(step.b) }))
    .toSorted((one, other) => Math.abs(other.b - other.a) - Math.abs(one.b - one.a))[0]
  const { data: payload } = useData(() => findPayload(a, b, shared), [a.version, b.version])
  return (
    <div class="comparison">
      <div class="verdicts">
        <div>
          <h2>Path</h2>
          <p>
            {apart === -1
              ? 'Both took the same way.'
              : `They differ at step ${apart + 1}: ${describe(steps[apart]?.a)} against ${describe(steps[apart]?.b)}.`}
          </p>
        </div>
        <div>
          <h2>Payload</h2>
          {payload === undefined ? (
            <p>The payloads on the common way are the same.</p>
          ) : (
            <>
              <p>
                First difference: {payload.where} at <code>{payload.path}</code>
              </p>
              <div class="side-by-side">
                <Json value={payload.a ?? null} label="First" />
                <Json value={payload.b ?? null} label="Second" />
              </div>
            </>
          )}
        </div>
        <div>
          <h2>Time</h2>
          <p>
            {duration(spanOf(a))} against {duration(spanOf(b))}.
            {slowest &&
              ` The largest difference is ${slowest.name}: ${duration(slowest.a)} against ${duration(slowest.b)}.`}
          </p>
        </div>
      </div>
      <table>
        <thead>
          <tr>
            <th>
              <a href={linkTo('execution', { arn: a.description.arn })}>{a.description.name}</a>
            </th>
            <th class="number">Time</th>
            <th>
              <a href={linkTo('execution', { arn: b.description.arn })}>{b.description.name}</a>
            </th>
            <th class="number">Time</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr
              key={`${step.a?.enterId} ${step.b?.enterId}`}
              class={index === apart ? 'differs first' : step.isSame ? '' : 'differs'}
            >
              <Cells visit={step.a} />
              <Cells visit={step.b} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cells({ visit }: { readonly visit: Visit | undefined }) {
  return (
    <>
      <td>
        {visit && (
          <>
            {visit.name} <Status value={visit.status} isShort />
          </>
        )}
      </td>
      <td class="number">{visit && duration(lengthOf(visit))}</td>
    </>
  )
}

interface PayloadDifference {
  readonly where: string
  readonly path: string
  readonly a: unknown
  readonly b: unknown
}

/** What goes into the common states, and what comes out of them. */
async function findPayload(
  a: LoadedExecution,
  b: LoadedExecution,
  steps: ReturnType<typeof comparePaths>,
): Promise<PayloadDifference | undefined> {
  const common = steps.filter(step => step.a && step.b && step.a.name === step.b.name)
  const idsOf = (side: 'a' | 'b') =>
    common.flatMap(step => [step[side]?.enterId ?? 0, step[side]?.exitId ?? 0])
  const payloads = async (one: LoadedExecution, ids: readonly number[]) => {
    const { events } = await post<{ events: { id: number }[] }>('events', { arn: one.description.arn, ids })
    return new Map(events.map(event => [event.id, payloadOf(event)]))
  }
  const [left, right] = await Promise.all([payloads(a, idsOf('a')), payloads(b, idsOf('b'))])
  for (const step of common) {
    for (const [kind, key] of [
      ['input', 'enterId'],
      ['output', 'exitId'],
    ] as const) {
      const found = firstDifference(left.get(step.a?.[key] ?? 0), right.get(step.b?.[key] ?? 0))
      if (found) return { where: `the ${kind} of ${step.a?.name}`, ...found }
    }
  }
  return undefined
}

function payloadOf(event: object): unknown {
  for (const [key, value] of Object.entries(event)) {
    if (!key.endsWith('EventDetails')) continue
    const { input, output } = value as { input?: string; output?: string }
    return JSON.parse(input ?? output ?? 'null')
  }
  return undefined
}

function describe(visit: Visit | undefined): string {
  return visit ? `${visit.name} (${visit.status})` : 'the end'
}

function lengthOf(visit: Visit | undefined): number {
  return visit?.exitMs === undefined ? 0 : visit.exitMs - visit.enterMs
}

function spanOf({ description, events }: LoadedExecution): number {
  return (description.stopMs ?? events.at(-1)?.timestamp ?? description.startMs) - description.startMs
}
