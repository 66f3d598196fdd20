import type { Visit } from '@stepwright/asl-graph'
import { useState } from 'preact/hooks'
import { counted, duration, time } from '../format.ts'
import { SearchField } from '../parts/search-field.tsx'
import { Status } from '../parts/status.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import type { LoadedExecution } from './use-execution.ts'

interface StatesTabProps {
  readonly execution: LoadedExecution
  readonly selected: Visit | undefined
  readonly onSelect: (visit: Visit) => void
}

/** Every visit of a state, with its place in time. */
export function StatesTab({ execution, selected, onSelect }: StatesTabProps) {
  const { description, visits, events } = execution
  const [search, setSearch] = useState('')
  const start = description.startMs
  const end = Math.max(description.stopMs ?? 0, events.at(-1)?.timestamp ?? start, start + 1)
  const wanted = search.toLowerCase()
  const shown = wanted === '' ? visits : visits.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <>
      <div class="filters">
        <SearchField label="State contains" placeholder="State" value={search} onSearch={setSearch} />
        <span class="muted">{counted(shown.length, 'visit')}</span>
      </div>
      <VirtualList
        items={shown}
        rowHeight={30}
        label="States"
        className="fill states"
        show={selected && shown.indexOf(selected)}
        header={
          <div class="row">
            <span>State</span>
            <span>Status</span>
            <span class="number">Tries</span>
            <span>Entered</span>
            <span class="number">Duration</span>
            <span>Timeline</span>
          </div>
        }
        draw={visit => (
          <button
            type="button"
            class={visit === selected ? 'row is-selected' : 'row'}
            onClick={() => onSelect(visit)}
          >
            <span class="name" style={{ paddingLeft: `${depthOf(visit) * 14}px` }}>
              {visit.name}
              {visit.iteration !== undefined && <small class="tag">#{visit.iteration}</small>}
            </span>
            <span>
              <Status value={visit.status} />
            </span>
            <span class="number">{visit.attempts.length > 1 ? visit.attempts.length : ''}</span>
            <span>{time(visit.enterMs)}</span>
            <span class="number">
              {visit.exitMs === undefined ? '' : duration(visit.exitMs - visit.enterMs)}
            </span>
            <span class="timeline">
              <i
                class={visit.status}
                style={{
                  left: `${((visit.enterMs - start) / (end - start)) * 100}%`,
                  width: `${(((visit.exitMs ?? end) - visit.enterMs) / (end - start)) * 100}%`,
                }}
              />
            </span>
          </button>
        )}
      />
    </>
  )
}

export function depthOf({ parent }: Visit): number {
  return parent === undefined ? 0 : 1 + depthOf(parent)
}
