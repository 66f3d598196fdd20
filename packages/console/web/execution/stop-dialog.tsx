import { useState } from 'preact/hooks'
import { post } from '../api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Problem } from '../parts/notice.tsx'

interface StopDialogProps {
  readonly arn: string
  readonly name: string
  readonly onClose: () => void
}

/** Asks before an execution is stopped: what it has done stays done. */
export function StopDialog({ arn, name, onClose }: StopDialogProps) {
  const [problem, setProblem] = useState<string>()
  const stop = async (event: Event): Promise<void> => {
    event.preventDefault()
    try {
      await post('stop', { arn })
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <Dialog title="Stop the execution" onClose={onClose}>
      <form onSubmit={stop}>
        <p>{name} ends as aborted. What its tasks have done is not undone.</p>
        {problem && <Problem>{problem}</Problem>}
        <footer>
          <button type="submit" class="danger">
            Stop it
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
