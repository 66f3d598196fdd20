import type { Visit } from '@stepwright/asl-graph'
import { useEffect, useState } from 'preact/hooks'
import type { StepDescription } from '../../src/protocol.ts'
import { get, post } from '../api.ts'
import { RunDialog } from '../parts/run-dialog.tsx'
import { useData } from '../use-data.ts'
import type { LoadedExecution } from './use-execution.ts'

interface ForkDialogProps {
  readonly execution: LoadedExecution
  readonly visit: Visit | undefined
  readonly onClose: () => void
}

/** Runs again from a state, with its input edited, on the definition as it was or as it is now. */
export function ForkDialog({ execution, visit, onClose }: ForkDialogProps) {
  const { arn } = execution.description
  const top = execution.visits.filter(({ parent }) => parent === undefined)
  const [chosen, setChosen] = useState(visit?.parent === undefined && visit ? visit : top[0])
  const [input, setInput] = useState('')
  const [isCurrent, setIsCurrent] = useState(false)
  const { data: step, error } = useData(
    async () => chosen && get<StepDescription>('step', { arn, enter: chosen.enterId }),
    [arn, chosen],
  )
  const variables = step?.variables ?? {}
  useEffect(() => {
    const given = step?.stages.find(({ name }) => name === 'Input')?.value
    if (step) setInput(JSON.stringify(given ?? {}, null, 2))
  }, [step])
  return (
    <RunDialog
      title="Fork"
      action="Run the fork"
      input={input}
      onInput={setInput}
      inputLabel={
        <>
          Input of the state{' '}
          {Object.keys(variables).length > 0 && <small class="muted">its variables are taken over</small>}
        </>
      }
      start={() => post('fork', { arn, state: chosen?.name, input, variables, isCurrent })}
      onClose={onClose}
      problem={error}
      below={
        <label class="check">
          <input type="checkbox" checked={isCurrent} onChange={() => setIsCurrent(value => !value)} /> with
          the definition and functions as they are on disk now
        </label>
      }
    >
      <label>
        Begin at
        <select
          value={String(chosen?.enterId ?? '')}
          onChange={event =>
            setChosen(top.find(({ enterId }) => String(enterId) === event.currentTarget.value))
          }
        >
          {top.map(({ name, enterId }) => (
            <option key={enterId} value={String(enterId)}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </RunDialog>
  )
}
