import { useState } from 'preact/hooks'
import type { ListedObject, ObjectPage, ObjectPreview } from '../../src/protocol.ts'
import { get, upload } from '../api.ts'
import { useApp } from '../app-context.ts'
import { bytes, dateTime } from '../format.ts'
import { Empty, Problem } from '../parts/notice.tsx'
import { Rows } from '../parts/rows.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { setQuery } from '../route.ts'
import { useData } from '../use-data.ts'
import { usePages } from '../use-pages.ts'

export function ObjectsPage({ query }: { readonly query: URLSearchParams }) {
  const app = useApp()
  const bucket = query.get('bucket') ?? app.buckets[0] ?? ''
  const prefix = query.get('prefix') ?? ''
  const key = query.get('key') ?? ''
  const [problem, setProblem] = useState<string>()
  const [isOver, setIsOver] = useState(false)
  const [said, setSaid] = useState('')
  const { items, isLoaded, error, more } = usePages<ListedObject>({
    async load(after) {
      const { objects, next } = await get<ObjectPage>('objects', { bucket, prefix, after })
      return { items: objects, next }
    },
    dependencies: [bucket, prefix],
    topic: 'objects',
  })
  const send = async (files: FileList | null | undefined): Promise<void> => {
    setProblem(undefined)
    try {
      for (const file of files ?? []) {
        setSaid(`Uploading ${prefix}${file.name} …`)
        await upload(bucket, `${prefix}${file.name}`, file)
        setSaid(`Uploaded ${prefix}${file.name}.`)
      }
    } catch (failure) {
      setSaid('')
      setProblem((failure as Error).message)
    }
  }
  return (
    <section
      class={isOver ? 'page is-over' : 'page'}
      aria-labelledby="title"
      onDragOver={event => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={event => {
        event.preventDefault()
        setIsOver(false)
        void send(event.dataTransfer?.files)
      }}
    >
      <header class="page-head">
        <h1 id="title">Objects</h1>
        <span class="grow" />
        <span class="muted" role="status">
          {said}
        </span>
        <label class="button">
          Upload
          <input
            class="unseen"
            type="file"
            multiple
            onChange={event => void send(event.currentTarget.files)}
          />
        </label>
      </header>
      <div class="filters">
        <select
          aria-label="Bucket"
          value={bucket}
          onChange={event => setQuery({ bucket: event.currentTarget.value, key: undefined })}
        >
          {app.buckets.map(name => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <SearchField
          label="Prefix"
          placeholder="Prefix, also for uploads"
          value={prefix}
          onSearch={text => setQuery({ prefix: text })}
        />
        <span class="muted">Drop files to upload them: triggers fire.</span>
      </div>
      {(problem ?? error) && <Problem>{problem ?? error}</Problem>}
      <div class={key ? 'split even' : 'split alone'}>
        {items.length === 0 ? (
          <Empty>{isLoaded && 'No objects.'}</Empty>
        ) : (
          <VirtualList
            items={items}
            rowHeight={30}
            label="Objects"
            className="fill objects"
            onEnd={more}
            header={
              <div class="row">
                <span>Key</span>
                <span class="number">Size</span>
                <span>Modified</span>
              </div>
            }
            draw={object => (
              <button
                type="button"
                class={object.key === key ? 'row is-selected' : 'row'}
                onClick={() => setQuery({ key: object.key })}
              >
                <span class="name">{object.key}</span>
                <span class="number">{bytes(object.size)}</span>
                <span>{dateTime(object.modifiedMs)}</span>
              </button>
            )}
          />
        )}
        {key !== '' && <Preview bucket={bucket} objectKey={key} />}
      </div>
    </section>
  )
}

function Preview({ bucket, objectKey }: { readonly bucket: string; readonly objectKey: string }) {
  const { data, error } = useData(
    () => get<ObjectPreview>('object', { bucket, key: objectKey }),
    [bucket, objectKey],
  )
  return (
    <SidePanel
      label={`Object ${objectKey}`}
      title={objectKey}
      what="object"
      onClose={() => setQuery({ key: undefined })}
    >
      {error && <Problem>{error}</Problem>}
      {data?.note && <p class="muted">{data.note}</p>}
      {data?.kind === 'rows' && <Rows columns={data.columns} rows={data.rows} label={objectKey} />}
      {data?.kind === 'text' && <pre class="log">{data.text}</pre>}
    </SidePanel>
  )
}
