import { useState } from 'preact/hooks'
import { post } from '../api.ts'
import { useApp } from '../app-context.ts'
import { RunDialog } from '../parts/run-dialog.tsx'

interface StartDialogProps {
  readonly workflow: string
  readonly onClose: () => void
  /** @default the example of the workflow's schema */
  readonly input?: string
}

export function StartDialog({ workflow: first, onClose, input: given }: StartDialogProps) {
  const app = useApp()
  const find = (key: string) => app.workflows.find(one => one.key === key)
  const [workflow, setWorkflow] = useState(find(first)?.key ?? app.workflows[0]?.key ?? '')
  const [input, setInput] = useState(given ?? find(workflow)?.example ?? '{}')
  const [name, setName] = useState('')
  return (
    <RunDialog
      title="Start execution"
      action="Start"
      input={input}
      onInput={setInput}
      inputLabel={
        <>
          Input{' '}
          {find(workflow)?.hasSchema && <small class="muted">checked against the workflow’s schema</small>}
        </>
      }
      start={() => post('executions', { workflow, input, name })}
      onClose={onClose}
    >
      <label>
        Workflow
        <select
          value={workflow}
          onChange={event => {
            const key = event.currentTarget.value
            setWorkflow(key)
            setInput(find(key)?.example ?? '{}')
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
    </RunDialog>
  )
}
