const icons: Readonly<Record<string, string>> = {
  succeeded: 'M3.5 8.5l3 3 6-7',
  failed: 'M4 4l8 8 M12 4l-8 8',
  caught: 'M3 5h6a3.5 3.5 0 0 1 0 7H5 M7 9.5L4.5 12L7 14.5',
  running: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  cancelled: 'M3.5 8h9',
}

const words: Readonly<Record<string, string>> = {
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  ABORTED: 'cancelled',
  RUNNING: 'running',
  PENDING_REDRIVE: 'running',
}

/** A status as a mark and a word: never by colour alone. */
export function Status({ value, isShort = false }: { readonly value: string; readonly isShort?: boolean }) {
  const kind = words[value] ?? value
  const text = value.replaceAll('_', ' ').toLowerCase()
  return (
    <span class={`status ${kind}`}>
      <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
        <path d={icons[kind] ?? icons['cancelled']} />
      </svg>
      <span class={isShort ? 'unseen' : ''}>{text}</span>
    </span>
  )
}
