import type { MapRunDescription } from '../../src/protocol.ts'
import { count, duration } from '../format.ts'
import { Status } from '../parts/status.tsx'

/** The runs of Distributed Maps: how far they are, and what they put up with. */
export function MapRuns({ runs }: { readonly runs: readonly MapRunDescription[] }) {
  return (
    <div class="map-runs">
      {runs.map(
        ({
          arn,
          status,
          items,
          startMs,
          stopMs,
          maxConcurrency,
          toleratedFailureCount,
          toleratedFailurePercentage,
        }) => (
          <div key={arn} class="map-run">
            <b>{/:mapRun:[^/]+\/([^:]+)/.exec(arn)?.[1] ?? 'Map run'}</b>
            <Status value={status} />
            <Bar total={items.total} done={items.succeeded} failed={items.failed} />
            <span class="numbers">
              {count(items.succeeded)} succeeded · {count(items.failed)} failed · {count(items.running)}{' '}
              running · {count(items.pending)} pending · {count(items.total)} items
            </span>
            <span class="muted">
              {toleratedFailureCount > 0 && `up to ${count(toleratedFailureCount)} failures tolerated · `}
              {toleratedFailurePercentage > 0 &&
                `up to ${toleratedFailurePercentage} % failures tolerated · `}
              {maxConcurrency > 0 && `${count(maxConcurrency)} at once · `}
              {stopMs !== undefined && duration(stopMs - startMs)}
            </span>
          </div>
        ),
      )}
    </div>
  )
}

function Bar({
  total,
  done,
  failed,
}: {
  readonly total: number
  readonly done: number
  readonly failed: number
}) {
  const share = (value: number): string => `${total === 0 ? 0 : (value / total) * 100}%`
  return (
    <span
      class="bar"
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done + failed}
      aria-label="Items done"
    >
      <i class="done" style={{ width: share(done) }} />
      <i class="lost" style={{ width: share(failed) }} />
    </span>
  )
}
