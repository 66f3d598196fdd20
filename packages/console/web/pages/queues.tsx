import type { QueueDescription } from '../../src/protocol.ts'
import { get } from '../api.ts'
import { count } from '../format.ts'
import { Empty, Problem } from '../parts/notice.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { useData } from '../use-data.ts'

const againMs = 1000

/** Queues, and how many messages each has. */
export function QueuesPage() {
  const { data, error } = useData(() => get<{ queues: readonly QueueDescription[] }>('queues'), [], againMs)
  const isDead = (name: string): boolean =>
    data?.queues.some(({ deadLetters }) => deadLetters === name) ?? false
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Queues</h1>
      </header>
      {error && <Problem>{error}</Problem>}
      {data && data.queues.length === 0 && <Empty>No queues.</Empty>}
      {data && data.queues.length > 0 && (
        <TableBox label="Queues">
          <thead>
            <tr>
              <th>Queue</th>
              <th class="number">Waiting</th>
              <th class="number">In flight</th>
              <th class="number">Delayed</th>
              <th>Dead letters go to</th>
            </tr>
          </thead>
          <tbody>
            {data.queues.map(({ name, waiting, inFlight, delayed, deadLetters }) => (
              <tr key={name}>
                <td>{name}</td>
                <td class={isDead(name) && waiting > 0 ? 'number bad-text' : 'number'}>{count(waiting)}</td>
                <td class="number">{count(inFlight)}</td>
                <td class="number">{count(delayed)}</td>
                <td>{deadLetters}</td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </section>
  )
}
