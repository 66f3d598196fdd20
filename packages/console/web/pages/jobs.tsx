import { useState } from 'preact/hooks'
import type { InspectedJob } from '../../src/protocol.ts'
import { get } from '../api.ts'
import { dateTime } from '../format.ts'
import { Bar } from '../parts/bar.tsx'
import { Json } from '../parts/json.tsx'
import { Empty, Problem } from '../parts/notice.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { useData } from '../use-data.ts'

const againMs = 1000

/** Jobs of users, and how far they are. */
export function JobsPage() {
  const [chosen, setChosen] = useState<string>()
  const { data, error } = useData(() => get<{ jobs: readonly InspectedJob[] }>('jobs'), [], againMs)
  const jobs = data?.jobs ?? []
  const job = jobs.find(({ id }) => id === chosen)
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Jobs</h1>
        <span class="muted">{jobs.length}</span>
      </header>
      {error && <Problem>{error}</Problem>}
      {data && jobs.length === 0 && <Empty>No jobs.</Empty>}
      {jobs.length > 0 && (
        <div class={job ? 'split even' : 'split alone'}>
          <VirtualList
            items={jobs}
            rowHeight={30}
            label="Jobs"
            className="fill jobs"
            header={
              <div class="row">
                <span>Job</span>
                <span>Type</span>
                <span>Status</span>
                <span>Progress</span>
                <span>Updated</span>
              </div>
            }
            draw={one => (
              <button
                type="button"
                class={one.id === chosen ? 'row is-selected' : 'row'}
                onClick={() => setChosen(one.id)}
              >
                <span class="name">{one.id}</span>
                <span>{one.type}</span>
                <span>{one.status.toLowerCase()}</span>
                <span>
                  <Bar total={100} done={one.progress} failed={0} label={`Progress of ${one.id}`} />
                </span>
                <span>{dateTime(one.updatedMs)}</span>
              </button>
            )}
          />
          {job && (
            <SidePanel label={`Job ${job.id}`} title={job.id} what="job" onClose={() => setChosen(undefined)}>
              <Json value={job} label="Job" />
            </SidePanel>
          )}
        </div>
      )}
    </section>
  )
}
