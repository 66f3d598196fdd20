import type { Visit } from '@stepwright/asl-graph'
import { useEffect, useState } from 'preact/hooks'
import type { StepDescription } from '../../src/protocol.ts'
import { get, post } from '../api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Problem } from '../parts/notice.tsx'
import { go } from '../route.ts'
import type { LoadedExecution } from './use-execution.ts'

interface ForkDialogProps {
  readonly execution: LoadedExecution
  readonly visit: Visit | undefined
  readonly onClose: () => void
}

/** Runs again from a state, with its input edited, on the definition as it was or as it is now. */
export function ForkDialog({ execution, visit, onClose }: ForkDialogProps) {
  const { description, visits } = execution
  const top = visits.filter(({ parent }) => parent === undefined)
  const [chosen, setChosen] = useState(visit?.parent === undefined && visit ? visit : top[0])
  const [input, setInput] = useState('')
  const [variables, setVariables] = useState<Readonly<Record<string, unknown>>>({})
  const [isCurrent, setIsCurrent] = useState(false)
  const [error, setError] = useState<string>()
  useEffect(() => {
    if (!chosen) return
    get<StepDescription>('step', { arn: description.arn, enter: chosen.enterId }).then(
      step => {
        setInput(JSON.stringify(step.stages.find(({ name }) => name === 'Input')?.value ?? {}, null, 2))
        setVariables(step.variables)
      },
      (problem: Error) => setError(problem.message),
    )
  }, [chosen])
  const fork = async (event: Event): Promise<void> => {
    event.preventDefault()
    try {
      JSON.parse(input)
      const { arn } = await post<{ arn: string }>('fork', {
        arn: description.arn,
        workflow: description.workflow,
        state: chosen?.name,
        input,
        variables,
        isCurrent,
      })
      onClose()
      go('execution', { arn })
    } catch (problem) {
      setError((problem as Error).message)
    }
  }
  return (
    <Dialog title="Fork" onClose={onClose}>
      <form onSubmit={fork}>
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
        <label class="tall">
          <span>
            Input of the state{' '}
            {Object.keys(variables).length > 0 && <small class="muted">its variables are taken over</small>}
          </span>
          <textarea
            rows={14}
            spellcheck={false}
            value={input}
            onInput={event => setInput(event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={isCurrent} onChange={() => setIsCurrent(value => !value)} /> with
          the definition and functions as they are on disk now
        </label>
        {error && <Problem>{error}</Problem>}
        <footer>
          <button type="submit" class="primary">
            Run the fork
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
