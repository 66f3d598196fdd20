import { useState } from 'preact/hooks'

/** Takes one file: dropped on it, or chosen. */
export function DropZone({
  file,
  onFile,
  required,
  issue,
}: {
  readonly file: File | undefined
  readonly onFile: (file: File) => void
  readonly required: boolean
  readonly issue: string | undefined
}) {
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null | undefined) => {
    const [first] = files ?? []
    if (first) onFile(first)
  }
  return (
    <label
      class={`drop${isOver ? ' over' : ''}`}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files)
      }}
    >
      <span class="label">宛先のCSV</span>
      <input
        type="file"
        accept=".csv,text/csv"
        required={required && !file}
        onChange={({ currentTarget }) => take(currentTarget.files)}
      />
      <span aria-live="polite">
        {file
          ? `${file.name}（${formatBytes(file.size)}）`
          : 'ここにドロップするか、クリックして選んでください'}
      </span>
      {!required && !file && <span class="quiet">選ばなければ、今の宛先のままです</span>}
      {issue !== undefined && <span class="issue">{issue}</span>}
    </label>
  )
}

function formatBytes(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000).toLocaleString('ja-JP')} KB`
    : `${(bytes / 1_000_000).toLocaleString('ja-JP', { maximumFractionDigits: 1 })} MB`
}
