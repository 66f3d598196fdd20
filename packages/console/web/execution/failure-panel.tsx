import type { Visit } from '@stepwright/asl-graph'
import { parseCause } from '@stepwright/errors'
import { useApp } from '../app-context.ts'
import { Json } from '../parts/json.tsx'
import type { LoadedExecution } from './use-execution.ts'

interface FailurePanelProps {
  readonly execution: LoadedExecution
  readonly onVisit: (visit: Visit) => void
}

/** The error and what its cause says, opened. */
export function FailurePanel({ execution, onVisit }: FailurePanelProps) {
  const { error, cause } = execution.description
  const failed = execution.visits.findLast(
    ({ status, parent }) => status === 'failed' && parent === undefined,
  )
  const origin = execution.visits.findLast(visit => visit.type !== 'Fail' && visit.error !== undefined)
  return (
    <div class="failure" role="alert">
      <Cause error={error} cause={cause} />
      <p class="links">
        {failed && (
          <button type="button" class="link" onClick={() => onVisit(failed)}>
            Failed in {failed.name}
          </button>
        )}
        {origin && failed?.type === 'Fail' && (
          <button type="button" class="link" onClick={() => onVisit(origin)}>
            Began in {origin.name}: {origin.error}
          </button>
        )}
      </p>
    </div>
  )
}

/** An error and its cause, typed where one of our tasks raised it. */
export function Cause({
  error,
  cause,
}: {
  readonly error: string | undefined
  readonly cause: string | undefined
}) {
  const app = useApp()
  const { name, message, code, details } = parseCause({
    ...(error !== undefined && { Error: error }),
    ...(cause !== undefined && { Cause: cause }),
  })
  const kind = app.errors[name ?? '']?.kind
  return (
    <div class="cause">
      <p>
        <b>{name ?? error ?? 'Error'}</b>
        {code !== undefined && <code>{code}</code>}
        {kind !== undefined && <small class="tag">{kind}</small>}
      </p>
      {message !== '' && <Message text={message} />}
      {details !== undefined && <Json value={details} label="Details" />}
    </div>
  )
}

/** Some causes are JSON themselves. */
function Message({ text }: { readonly text: string }) {
  return /^[[{]/.test(text) ? <Json value={text} label="Message" /> : <p class="message">{text}</p>
}
