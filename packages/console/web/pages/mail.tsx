import type { ListedMail, MailDescription } from '../../src/protocol.ts'
import { get } from '../api.ts'
import { count } from '../format.ts'
import { Empty, Problem } from '../parts/notice.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { setQuery } from '../route.ts'
import { useData } from '../use-data.ts'
import { usePages } from '../use-pages.ts'

interface MailPageData {
  readonly mails: readonly ListedMail[]
  readonly total: number
}

export function MailPage({ query }: { readonly query: URLSearchParams }) {
  const search = query.get('search') ?? ''
  const id = query.get('id') ?? ''
  const { items, total, isLoaded, error, more } = usePages<ListedMail>({
    async load(after, limit) {
      const offset = Number(after ?? 0)
      const page = await get<MailPageData>('mails', { search, offset, limit })
      const end = offset + page.mails.length
      return { items: page.mails, total: page.total, next: end < page.total ? String(end) : undefined }
    },
    dependencies: [search],
    topic: 'mail',
  })
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Mailbox</h1>
        <span class="muted">{total !== undefined && count(total)}</span>
      </header>
      <div class="filters">
        <SearchField
          label="Messages contain"
          placeholder="Subject or address"
          value={search}
          onSearch={text => setQuery({ search: text })}
        />
      </div>
      {error && <Problem>{error}</Problem>}
      {isLoaded && items.length === 0 ? (
        <Empty>No messages.</Empty>
      ) : (
        <div class={id ? 'split even' : 'split alone'}>
          <VirtualList
            items={items}
            rowHeight={30}
            label="Messages"
            className="fill mails"
            onEnd={more}
            header={
              <div class="row">
                <span>To</span>
                <span>Subject</span>
              </div>
            }
            draw={mail => (
              <button
                type="button"
                class={mail.id === id ? 'row is-selected' : 'row'}
                onClick={() => setQuery({ id: mail.id })}
              >
                <span class="name">{mail.to.join(', ')}</span>
                <span>{mail.subject}</span>
              </button>
            )}
          />
          {id !== '' && <Message id={id} />}
        </div>
      )}
    </section>
  )
}

function Message({ id }: { readonly id: string }) {
  const { data, error } = useData(() => get<MailDescription>('mail', { id }), [id])
  return (
    <SidePanel
      label="Message"
      title={data?.subject}
      what="message"
      onClose={() => setQuery({ id: undefined })}
    >
      {error && <Problem>{error}</Problem>}
      {data && (
        <>
          <p class="muted">
            {data.from} to {data.to.join(', ')}
            {data.cc.length > 0 && ` and ${data.cc.join(', ')}`}
          </p>
          {data.htmlPath && <iframe title="The message as HTML" sandbox="" src={data.htmlPath} />}
          {data.text !== undefined && <pre class="log">{data.text}</pre>}
          {data.raw !== undefined && <pre class="log">{data.raw}</pre>}
        </>
      )}
    </SidePanel>
  )
}
