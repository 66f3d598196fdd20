import { useEffect, useRef, useState } from 'preact/hooks'
import type { FoundPayload, FindPage as Page } from '../../src/protocol.ts'
import { get } from '../api.ts'
import { count, dateTime } from '../format.ts'
import { Empty, Problem } from '../parts/notice.tsx'
import { Status } from '../parts/status.tsx'
import { linkTo, setQuery } from '../route.ts'

/** A value in the payloads of all executions: a row number, an address. */
export function FindPage({ query }: { readonly query: URLSearchParams }) {
  const text = query.get('text') ?? ''
  const [found, setFound] = useState<readonly FoundPayload[]>([])
  const [progress, setProgress] = useState<{ readonly searched: number; readonly total: number }>()
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    let isCurrent = true
    setFound([])
    setProgress(undefined)
    setError(undefined)
    const search = async (): Promise<void> => {
      for (let offset = 0; isCurrent; ) {
        const page = await get<Page>('find', { text, offset })
        if (!isCurrent) return
        setFound(before => [...before, ...page.found].slice(0, 500))
        setProgress({ searched: page.searched, total: page.total })
        offset = page.searched
        if (offset >= page.total) return
      }
    }
    if (text !== '') search().catch((problem: Error) => setError(problem.message))
    return () => {
      isCurrent = false
    }
  }, [text])
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Find</h1>
      </header>
      <form
        class="filters"
        onSubmit={event => {
          event.preventDefault()
          setQuery({ text: field.current?.value })
        }}
      >
        <input
          ref={field}
          type="search"
          class="wide"
          placeholder="A value in any payload: an address, an id, a row"
          aria-label="Value"
          defaultValue={text}
        />
        <button type="submit" class="primary">
          Find
        </button>
        {progress && (
          <span class="muted" role="status">
            {count(progress.searched)} of {count(progress.total)} executions searched
          </span>
        )}
      </form>
      {error && <Problem>{error}</Problem>}
      {progress && progress.searched === progress.total && found.length === 0 && (
        <Empty>Nothing found.</Empty>
      )}
      <ul class="found">
        {found.map(({ execution, where, eventId, excerpt }) => (
          <li key={`${execution.arn} ${where} ${eventId}`}>
            <a
              href={linkTo('execution', {
                arn: execution.arn,
                tab: eventId === undefined ? 'data' : 'events',
                event: eventId === undefined ? undefined : String(eventId),
              })}
            >
              {execution.name}
            </a>{' '}
            <Status value={execution.status} />{' '}
            <span class="muted">
              {dateTime(execution.startMs)} · {where}
            </span>
            <pre>{marked(excerpt, text)}</pre>
          </li>
        ))}
      </ul>
    </section>
  )
}

function marked(excerpt: string, text: string) {
  const at = excerpt.indexOf(text)
  return at === -1 ? (
    excerpt
  ) : (
    <>
      {excerpt.slice(0, at)}
      <mark>{text}</mark>
      {excerpt.slice(at + text.length)}
    </>
  )
}
