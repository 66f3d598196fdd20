import { useState } from 'preact/hooks'
import { post } from '../api.ts'
import { useApp } from '../app-context.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Problem } from '../parts/notice.tsx'
import { go } from '../route.ts'

interface StartDialogProps {
  readonly workflow: string
  readonly onClose: () => void
  /** @default the example of the workflow's schema */
  readonly input?: string
}

export function StartDialog({ workflow: first, onClose, input: given }: StartDialogProps) {
  const app = useApp()
  const [workflow, setWorkflow] = useState(first)
  const chosen = app.workflows.find(({ key }) => key === workflow)
  const [input, setInput] = useState(given ?? chosen?.example ?? '{}')
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const start = async (event: Event): Promise<void> => {
    event.preventDefault()
    try {
      const { arn } = await post<{ arn: string }>('executions', { workflow, input, name })
      onClose()
      go('execution', { arn })
    } catch (problem) {
      setError((problem as Error).message)
    }
  }
  return (
    <Dialog title="Start execution" onClose={onClose}>
      <form onSubmit={start}>
        <label>
          Workflow
          <select
            value={workflow}
            onChange={event => {
              const key = event.currentTarget.value
              setWorkflow(key)
              setInput(app.workflows.find(one => one.key === key)?.example ?? '{}')
            }}
          >
            {app.workflows.map(({ key }) => (
              <option key={key}>{key}</option>
            ))}
          </select>
        </label>
        <label>
          Name
          <input
            value={name}
            placeholder="a random one"
            onInput={event => setName(event.currentTarget.value)}
          />
        </label>
        <label class="tall">
          <span>
            Input {chosen?.hasSchema && <small class="muted">checked against the workflow’s schema</small>}
          </span>
          <textarea
            rows={14}
            spellcheck={false}
            value={input}
            onInput={event => setInput(event.currentTarget.value)}
          />
        </label>
        {error && <Problem>{error}</Problem>}
        <footer>
          <button type="submit" class="primary">
            Start
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
