import type { JSX } from 'preact'
import type { ListedProcess } from './api.ts'
import type { Language, Texts } from './texts.ts'
import { isOpen, nextType } from './use-generation.ts'

interface HistoryProps {
  readonly processes: readonly ListedProcess[]
  readonly hasMore: boolean
  readonly t: Texts
  readonly language: Language
  readonly onMore: () => void
  readonly onShow: (process: ListedProcess) => void
  readonly onRetry: (process: ListedProcess) => void
  readonly onCancel: (process: ListedProcess) => void
  readonly onContinue: (process: ListedProcess) => void
}

const retryable: readonly string[] = ['FAILED', 'TIMEOUT', 'CANCELLED']

/** The user's own processes, the newest first. */
export function History(props: HistoryProps): JSX.Element {
  const { processes, hasMore, t, language, onMore, onShow, onRetry, onCancel, onContinue } = props
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
              <strong> {process.summary.goal}</strong>
            </span>
            <time dateTime={process.createdAt}>{when.format(new Date(process.createdAt))}</time>
            {(process.status === 'COMPLETED' || isOpen(process)) && (
              <button type="button" onClick={() => onShow(process)}>
                {t.show}
                <span class="hidden"> {process.summary.goal}</span>
              </button>
            )}
            {process.status === 'COMPLETED' && nextType[process.type] && (
              <button type="button" onClick={() => onContinue(process)}>
                {t.proceed}
                <span class="hidden"> {process.summary.goal}</span>
              </button>
            )}
            {isOpen(process) && (
              <button type="button" onClick={() => onCancel(process)}>
                {t.cancel}
                <span class="hidden"> {process.summary.goal}</span>
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
