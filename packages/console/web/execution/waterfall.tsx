import type { Visit } from '@stepwright/asl-graph'
import { useMemo, useState } from 'preact/hooks'
import { duration } from '../format.ts'
import { VirtualList } from '../parts/virtual-list.tsx'
import { depthOf } from './states-tab.tsx'
import { createTimeScale, type TimeScale } from './time-scale.ts'
import type { LoadedExecution } from './use-execution.ts'

interface WaterfallProps {
  readonly execution: LoadedExecution
  readonly selected: Visit | undefined
  readonly onSelect: (visit: Visit) => void
}

const maxZoom = 64
const ticks = 10

/** States, attempts, queueing and waits over time. */
export function Waterfall({ execution, selected, onSelect }: WaterfallProps) {
  const { description, visits, events, version } = execution
  const [zoom, setZoom] = useState(1)
  const [isFolded, setIsFolded] = useState(true)
  const end = Math.max(description.stopMs ?? 0, events.at(-1)?.timestamp ?? 0, description.startMs + 1)
  const scale = useMemo(
    () => createTimeScale(visits, description.startMs, end, isFolded),
    [version, isFolded, description],
  )
  const marks = Array.from(
    { length: ticks * Math.min(zoom, 6) },
    (_, index) => index / (ticks * Math.min(zoom, 6)),
  )
  return (
    <>
      <div class="filters">
        <button
          type="button"
          aria-label="Zoom out"
          disabled={zoom === 1}
          onClick={() => setZoom(value => Math.max(1, value / 2))}
        >
          −
        </button>
        <button
          type="button"
          aria-label="Zoom in"
          disabled={zoom >= maxZoom}
          onClick={() => setZoom(value => value * 2)}
        >
          +
        </button>
        <label class="check">
          <input type="checkbox" checked={isFolded} onChange={() => setIsFolded(value => !value)} /> fold idle
          time
        </label>
        <span class="legend">
          <i class="queue" /> queued <i class="work" /> at work <i class="pause" /> waiting <i class="bad" />{' '}
          failed
        </span>
        {scale.folds.length > 0 && (
          <span class="muted">
            {duration(scale.folds.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0))} idle, folded
          </span>
        )}
      </div>
      <VirtualList
        items={visits}
        rowHeight={26}
        label="Waterfall"
        className="fill waterfall"
        show={selected && visits.indexOf(selected)}
        header={
          <div class="row" style={{ width: `${zoom * 100}%` }}>
            <span class="name">State</span>
            <span class="lane">
              {marks.map(mark => (
                <small key={mark} style={{ left: `${mark * 100}%` }}>
                  {duration(timeAt(scale, mark) - scale.startMs)}
                </small>
              ))}
            </span>
          </div>
        }
        draw={visit => (
          <button
            type="button"
            class={visit === selected ? 'row is-selected' : 'row'}
            style={{ width: `${zoom * 100}%` }}
            onClick={() => onSelect(visit)}
          >
            <span class="name">
              <span style={{ paddingLeft: `${depthOf(visit) * 12}px` }}>{visit.name}</span>
              {visit.iteration !== undefined && <small class="tag">#{visit.iteration}</small>}
            </span>
            <Lane visit={visit} scale={scale} endMs={end} />
          </button>
        )}
      />
    </>
  )
}

/** The time at a position: the scale is monotone, so halving finds it. */
function timeAt(scale: TimeScale, position: number): number {
  let from = scale.startMs
  let to = scale.endMs
  for (let turn = 0; turn < 30; turn += 1) {
    const middle = (from + to) / 2
    if (scale.at(middle) < position) from = middle
    else to = middle
  }
  return from
}

function Lane({
  visit,
  scale,
  endMs,
}: {
  readonly visit: Visit
  readonly scale: TimeScale
  readonly endMs: number
}) {
  const part = (kind: string, fromMs: number, toMs: number, title: string) => {
    const left = scale.at(fromMs)
    return (
      <i
        key={`${kind} ${fromMs}`}
        class={kind}
        title={`${title} ${duration(toMs - fromMs)}`}
        style={{ left: `${left * 100}%`, width: `${(scale.at(toMs) - left) * 100}%` }}
      />
    )
  }
  const { attempts, enterMs, type, items, mapRunArn } = visit
  const exitMs = visit.exitMs ?? endMs
  const isAround = mapRunArn === undefined && (items !== undefined || type === 'Parallel')
  return (
    <span class="lane">
      {part(type === 'Wait' ? 'pause' : isAround ? 'around' : 'whole', enterMs, exitMs, type)}
      {!isAround &&
        attempts.flatMap((attempt, index) => {
          const started = attempt.startedMs ?? attempt.scheduledMs
          const ended = attempt.endMs ?? endMs
          const next = attempts[index + 1]
          return [
            started > attempt.scheduledMs ? part('queue', attempt.scheduledMs, started, 'queued') : null,
            part(attempt.status === 'failed' ? 'bad' : 'work', started, ended, `attempt ${index + 1}`),
            next && next.scheduledMs > ended
              ? part('pause', ended, next.scheduledMs, 'before the retry')
              : null,
          ]
        })}
    </span>
  )
}
