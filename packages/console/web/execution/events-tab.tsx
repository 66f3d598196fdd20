import type { Visit } from '@stepwright/asl-graph'
import { useState } from 'preact/hooks'
import type { LightEvent } from '../../src/protocol.ts'
import { post } from '../api.ts'
import { counted, duration, time } from '../format.ts'
import { Json } from '../parts/json.tsx'
import { Problem } from '../parts/notice.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { useData } from '../use-data.ts'
import type { LoadedExecution } from './use-execution.ts'

interface EventsTabProps {
  readonly execution: LoadedExecution
  readonly onVisit: (visit: Visit) => void
  /** The event to begin with. */
  readonly first: number | undefined
}

export function EventsTab({ execution, onVisit, first }: EventsTabProps) {
  const { events, reader, description } = execution
  const [search, setSearch] = useState('')
  const [isReversed, setIsReversed] = useState(false)
  const [chosen, setChosen] = useState(first)
  const wanted = search.toLowerCase()
  const matching =
    wanted === '' ? events : events.filter(event => textOf(event, reader.visitOf(event.id)).includes(wanted))
  const shown = isReversed ? matching.toReversed() : matching
  return (
    <>
      <div class="filters">
        <SearchField
          label="Events contain"
          placeholder="Type, state, error"
          value={search}
          onSearch={setSearch}
        />
        <label class="check">
          <input type="checkbox" checked={isReversed} onChange={() => setIsReversed(value => !value)} />{' '}
          latest first
        </label>
        <span class="muted">{counted(shown.length, 'event')}</span>
      </div>
      <VirtualList
        items={shown}
        rowHeight={28}
        label="Events"
        className="fill events"
        show={chosen === undefined ? undefined : shown.findIndex(({ id }) => id === chosen)}
        header={
          <div class="row">
            <span class="number">Id</span>
            <span>Type</span>
            <span>State</span>
            <span class="number">Elapsed</span>
            <span>Time</span>
          </div>
        }
        draw={event => {
          const visit = reader.visitOf(event.id)
          const isBad = /(Failed|TimedOut|Aborted)$/.test(event.type)
          return (
            <button
              type="button"
              class={event.id === chosen ? 'row is-selected' : 'row'}
              onClick={() => setChosen(event.id)}
            >
              <span class="number">{event.id}</span>
              <span class={isBad ? 'bad-text' : ''}>{event.type}</span>
              <span>{visit?.name}</span>
              <span class="number">{duration(event.timestamp - description.startMs)}</span>
              <span>{time(event.timestamp)}</span>
            </button>
          )
        }}
      />
      {chosen !== undefined && (
        <EventDetail
          key={chosen}
          arn={description.arn}
          id={chosen}
          visit={reader.visitOf(chosen)}
          onVisit={onVisit}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  )
}

interface EventDetailProps {
  readonly arn: string
  readonly id: number
  readonly visit: Visit | undefined
  readonly onVisit: (visit: Visit) => void
  readonly onClose: () => void
}

function EventDetail({ arn, id, visit, onVisit, onClose }: EventDetailProps) {
  const { data, error } = useData(() => post<{ events: object[] }>('events', { arn, ids: [id] }), [arn, id])
  return (
    <div class="detail">
      <header>
        <b>Event {id}</b>
        {visit && (
          <button type="button" class="link" onClick={() => onVisit(visit)}>
            {visit.name}
          </button>
        )}
        <span class="grow" />
        <button type="button" class="quiet" aria-label="Close event" onClick={onClose}>
          ✕
        </button>
      </header>
      {error && <Problem>{error}</Problem>}
      {data?.events[0] && <Json value={opened(data.events[0])} label={`Event ${id}`} />}
    </div>
  )
}

/** Payloads are JSON within JSON: opened, they can be read. */
function opened(event: object): unknown {
  return JSON.parse(JSON.stringify(event), (key, value) => {
    if (typeof value !== 'string' || !['input', 'output', 'parameters', 'cause'].includes(key)) return value
    try {
      return JSON.parse(value)
    } catch {
      return value
    }
  })
}

function textOf({ id, type, EventDetails }: LightEvent, visit: Visit | undefined): string {
  return `${id} ${type} ${visit?.name ?? ''} ${Object.values(EventDetails).join(' ')}`.toLowerCase()
}
