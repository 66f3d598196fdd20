import { useState } from 'preact/hooks'
import type { AuditPage, AuditVerdict } from '../../src/protocol.ts'
import { get, post } from '../api.ts'
import { count } from '../format.ts'
import { Empty, Problem } from '../parts/notice.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { usePages } from '../use-pages.ts'

export function AuditTab({ arn }: { readonly arn: string }) {
  const { items, next, isLoaded, error, more } = usePages<AuditPage['entries'][number]>({
    async load(after) {
      const page = await get<AuditPage>('audit', { arn, offset: after })
      return { items: page.entries, next: page.next === undefined ? undefined : String(page.next) }
    },
    dependencies: [arn],
  })
  const [verdict, setVerdict] = useState<AuditVerdict>()
  const verify = async (): Promise<void> => {
    try {
      setVerdict(await post<AuditVerdict>('audit/verify', { arn }))
    } catch (problem) {
      setVerdict({ isWhole: false, message: (problem as Error).message })
    }
  }
  if (error) return <Problem>{error}</Problem>
  if (!isLoaded) return null
  return (
    <>
      <div class="filters">
        <button type="button" onClick={verify}>
          Verify the trail
        </button>
        {verdict && (
          <span role="status" class={verdict.isWhole ? 'good-text' : 'bad-text'}>
            {verdict.message}
          </span>
        )}
        <span class="muted">
          {count(items.length)}
          {next !== undefined && '+'} entries
        </span>
      </div>
      {items.length === 0 ? (
        <Empty>The execution has left no entries.</Empty>
      ) : (
        <VirtualList
          items={items}
          onEnd={more}
          rowHeight={30}
          label="Audit trail"
          className="fill audit"
          header={
            <div class="row">
              <span class="number">Item</span>
              <span>Outcome</span>
              <span>Entry</span>
            </div>
          }
          draw={({ itemIndex, logType, executionId: _, ...rest }) => (
            <span class="row">
              <span class="number">{String(itemIndex)}</span>
              <span>{String(logType)}</span>
              <code>{JSON.stringify(rest)}</code>
            </span>
          )}
        />
      )}
    </>
  )
}
