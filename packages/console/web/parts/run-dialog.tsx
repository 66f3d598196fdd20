import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { go } from '../route.ts'
import { Dialog } from './dialog.tsx'
import { Problem } from './notice.tsx'

interface RunDialogProps {
  readonly title: string
  /** What the button says. */
  readonly action: string
  readonly input: string
  readonly onInput: (text: string) => void
  /** What the input is of. */
  readonly inputLabel: ComponentChildren
  /** Starts the execution; its ARN. */
  readonly start: () => Promise<{ readonly arn: string }>
  readonly onClose: () => void
  /** Fields above the input. */
  readonly children: ComponentChildren
  /** Fields below the input. */
  readonly below?: ComponentChildren
  /** Why it cannot be started yet. */
  readonly problem?: string | undefined
}

/** Asks for an input, starts an execution with it and shows that. */
export function RunDialog(props: RunDialogProps) {
  const [error, setError] = useState<string>()
  const [isStarting, setIsStarting] = useState(false)
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const mistake = whyNotJson(props.input)
    setError(mistake)
    if (mistake !== undefined) return
    setIsStarting(true)
    try {
      const { arn } = await props.start()
      props.onClose()
      go('execution', { arn })
    } catch (problem) {
      setError((problem as Error).message)
      setIsStarting(false)
    }
  }
  const problem = error ?? props.problem
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form onSubmit={submit}>
        {props.children}
        <label class="tall">
          <span>{props.inputLabel}</span>
          <textarea
            rows={14}
            spellcheck={false}
            value={props.input}
            onInput={event => props.onInput(event.currentTarget.value)}
          />
        </label>
        {props.below}
        {problem && <Problem>{problem}</Problem>}
        <footer>
          <button type="submit" class="primary" disabled={isStarting}>
            {props.action}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function whyNotJson(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `The input must be JSON: ${(error as Error).message}`
  }
}
