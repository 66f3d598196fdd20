import { useEffect, useState } from 'preact/hooks'
import type { CallDescription } from '../../src/protocol.ts'
import { get, listen } from '../api.ts'
import { useApp } from '../app-context.ts'
import { duration, time } from '../format.ts'
import { Empty, Problem } from '../parts/notice.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { linkTo, setQuery } from '../route.ts'

/** Calls of functions, the latest first, with what they printed. */
export function LogsPage({ query }: { readonly query: URLSearchParams }) {
  const app = useApp()
  const name = query.get('function') ?? ''
  const [calls, setCalls] = useState<readonly CallDescription[]>([])
  const [chosen, setChosen] = useState<CallDescription>()
  const [error, setError] = useState<string>()
  useEffect(() => {
    /** What is heard while the list is on its way, which may be without it. */
    let meanwhile: CallDescription[] | undefined
    const load = (): void => {
      const heard: CallDescription[] = []
      meanwhile = heard
      void get<{ calls: CallDescription[] }>('calls', { function: name }).then(
        ({ calls: listed }) => {
          if (meanwhile !== heard) return
          meanwhile = undefined
          const known = new Set(listed.map(({ requestId }) => requestId))
          setCalls([...heard.filter(({ requestId }) => !known.has(requestId)), ...listed])
        },
        (problem: Error) => setError(problem.message),
      )
    }
    load()
    const leave = listen({ calls: 'all' }, message => {
      if (message.topic === 'missed') load()
      if (message.topic !== 'call' || (name !== '' && message.call.functionName !== name)) return
      meanwhile?.unshift(message.call)
      setCalls(before => [message.call, ...before].slice(0, 2000))
    })
    return () => {
      meanwhile = undefined
      leave()
    }
  }, [name])
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Function calls</h1>
      </header>
      <div class="filters">
        <select
          aria-label="Function"
          value={name}
          onChange={event => setQuery({ function: event.currentTarget.value })}
        >
          <option value="">all functions</option>
          {app.functions.map(one => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </div>
      {error && <Problem>{error}</Problem>}
      <div class={chosen ? 'split even' : 'split alone'}>
        {calls.length === 0 ? (
          <Empty>No calls yet.</Empty>
        ) : (
          <VirtualList
            items={calls}
            rowHeight={30}
            label="Function calls"
            className="fill calls"
            header={
              <div class="row">
                <span>Function</span>
                <span>Called by</span>
                <span>Time</span>
                <span class="number">Duration</span>
                <span>Error</span>
              </div>
            }
            draw={call => (
              <button
                type="button"
                class={call === chosen ? 'row is-selected' : 'row'}
                onClick={() => setChosen(call)}
              >
                <span class="name">{call.functionName}</span>
                <span>{call.stateName}</span>
                <span>{time(call.startMs)}</span>
                <span class="number">{duration(call.endMs - call.startMs)}</span>
                <span class="bad-text">{call.error}</span>
              </button>
            )}
          />
        )}
        {chosen && (
          <SidePanel
            label="Call"
            title={chosen.functionName}
            what="call"
            onClose={() => setChosen(undefined)}
          >
            <p class="muted">
              {chosen.requestId}
              {chosen.executionArn && (
                <>
                  {' '}
                  ·{' '}
                  <a href={linkTo('execution', { arn: chosen.executionArn })}>
                    {chosen.executionArn.split(':').at(-1)}
                  </a>
                </>
              )}
            </p>
            <pre class="log">{chosen.log || 'It printed nothing.'}</pre>
          </SidePanel>
        )}
      </div>
    </section>
  )
}
