import type { JSX } from 'preact'
import type { Process } from './api.ts'
import type { Language, Texts } from './texts.ts'

interface HistoryProps {
  readonly processes: readonly Process[]
  readonly hasMore: boolean
  readonly t: Texts
  readonly language: Language
  readonly onMore: () => void
  readonly onShow: (process: Process) => void
  readonly onRetry: (process: Process) => void
}

const retryable: readonly string[] = ['FAILED', 'TIMEOUT', 'CANCELLED']

/** The user's own processes, the newest first. */
export function History(props: HistoryProps): JSX.Element {
  const { processes, hasMore, t, language, onMore, onShow, onRetry } = props
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <section class="history" aria-labelledby="history">
      <h2 id="history">{t.history}</h2>
      {processes.length === 0 && <p>{t.noHistory}</p>}
      <ul>
        {processes.map(process => (
          <li key={process.processId}>
            <span class={`badge ${process.status.toLowerCase()}`}>{t.status[process.status]}</span>
            <span class="what">
              {t.type[process.type]}
              {goalOf(process) && <strong> {goalOf(process)}</strong>}
            </span>
            <time dateTime={process.createdAt}>{when.format(new Date(process.createdAt))}</time>
            {process.status === 'COMPLETED' && (
              <button type="button" onClick={() => onShow(process)}>
                {t.show}
                <span class="hidden"> {goalOf(process)}</span>
              </button>
            )}
            {retryable.includes(process.status) && (
              <button type="button" onClick={() => onRetry(process)}>
                {t.retry}
              </button>
            )}
          </li>
        ))}
      </ul>
      {hasMore && (
        <button type="button" onClick={onMore}>
          {t.more}
        </button>
      )}
    </section>
  )
}

function goalOf({ result }: Process): string {
  return (result as { goal?: string } | null)?.goal ?? ''
}
