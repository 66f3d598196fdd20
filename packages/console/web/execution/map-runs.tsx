import { useState } from 'preact/hooks'
import type { ChildPage, ListedExecution, MapRunDescription } from '../../src/protocol.ts'
import { get } from '../api.ts'
import { count, counted, duration } from '../format.ts'
import { Bar } from '../parts/bar.tsx'
import { Empty, Problem } from '../parts/notice.tsx'
import { Status } from '../parts/status.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { linkTo } from '../route.ts'
import { usePages } from '../use-pages.ts'

/** The runs of Distributed Maps: how far they are, and what they put up with. */
export function MapRuns({ runs }: { readonly runs: readonly MapRunDescription[] }) {
  return (
    <div class="map-runs">
      {runs.map(run => (
        <MapRun key={run.arn} run={run} />
      ))}
    </div>
  )
}

function MapRun({ run }: { readonly run: MapRunDescription }) {
  const [shown, setShown] = useState<'' | 'FAILED' | undefined>()
  const { arn, status, items, startMs, stopMs, maxConcurrency } = run
  const name = /:mapRun:[^/:]+\/([^:]+)/.exec(arn)?.[1] ?? 'Map run'
  const toggle = (wanted: '' | 'FAILED'): void => setShown(shown === wanted ? undefined : wanted)
  return (
    <div>
      <div class="map-run">
        <b>{name}</b>
        <Status value={status} />
        <Bar total={items.total} done={items.succeeded} failed={items.failed} label={`Items of ${name}`} />
        <span class="numbers">
          {count(items.succeeded)} succeeded · {count(items.failed)} failed · {count(items.running)} running ·{' '}
          {count(items.pending)} pending · {counted(items.total, 'item')}
        </span>
        <button type="button" class="link" aria-expanded={shown === ''} onClick={() => toggle('')}>
          children
        </button>
        {items.failed > 0 && (
          <button
            type="button"
            class="link"
            aria-expanded={shown === 'FAILED'}
            onClick={() => toggle('FAILED')}
          >
            failed children
          </button>
        )}
        <span class="muted">
          {run.toleratedFailureCount > 0 &&
            `up to ${counted(run.toleratedFailureCount, 'failure')} tolerated · `}
          {run.toleratedFailurePercentage > 0 &&
            `up to ${run.toleratedFailurePercentage} % failures tolerated · `}
          {maxConcurrency > 0 && `${count(maxConcurrency)} at once · `}
          {stopMs !== undefined && duration(stopMs - startMs)}
        </span>
      </div>
      {shown !== undefined && <Children key={shown} mapRun={arn} status={shown} />}
    </div>
  )
}

function Children({ mapRun, status }: { readonly mapRun: string; readonly status: string }) {
  const { items, isLoaded, error, more } = usePages<ListedExecution>({
    async load(after) {
      const page = await get<ChildPage>('children', { mapRun, status, after })
      return { items: page.children, next: page.next }
    },
    dependencies: [mapRun, status],
  })
  if (error) return <Problem>{error}</Problem>
  if (!isLoaded) return null
  if (items.length === 0) return <Empty>No children.</Empty>
  return (
    <VirtualList
      items={items}
      rowHeight={28}
      label="Children"
      className="children"
      onEnd={more}
      draw={child => (
        <a class="row" href={linkTo('execution', { arn: child.arn })}>
          <span class="name">{child.name}</span>
          <span>
            <Status value={child.status} />
          </span>
          <span class="number">
            {child.stopMs === undefined ? '' : duration(child.stopMs - child.startMs)}
          </span>
        </a>
      )}
    />
  )
}
