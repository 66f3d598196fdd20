import { useMemo, useState } from 'preact/hooks'

const maxColoured = 60_000
const maxShown = 200_000
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)/g

/** A value as JSON text: coloured, never interpreted. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  const [isWhole, setIsWhole] = useState(false)
  const { whole, shown } = useMemo(() => {
    const pretty = typeof value === 'string' ? prettyText(value) : JSON.stringify(value, null, 2)
    const all = pretty ?? String(value)
    const text = isWhole ? all : all.slice(0, maxShown)
    const isPlain = pretty === undefined || text.length > maxColoured
    return { whole: all, shown: isPlain ? text : coloured(text) }
  }, [value, isWhole])
  return (
    <div class="json">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it */}
      {/* biome-ignore lint/a11y/useSemanticElements: white space counts */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {shown}
      </pre>
      {!isWhole && whole.length > maxShown && (
        <button type="button" onClick={() => setIsWhole(true)}>
          Show all {whole.length.toLocaleString('en')} characters
        </button>
      )}
    </div>
  )
}

function prettyText(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return undefined
  }
}

function coloured(text: string) {
  const parts: (string | preact.VNode)[] = []
  let end = 0
  for (const match of text.matchAll(tokens)) {
    const [whole, string, colon, number] = match
    if (match.index > end) parts.push(text.slice(end, match.index))
    const kind =
      string === undefined
        ? number === undefined
          ? 'word'
          : 'number'
        : colon === undefined
          ? 'string'
          : 'key'
    parts.push(
      <span key={match.index} class={`json-${kind}`}>
        {string === undefined || colon === undefined ? whole : string}
      </span>,
    )
    if (colon !== undefined) parts.push(colon)
    end = match.index + whole.length
  }
  parts.push(text.slice(end))
  return parts
}
