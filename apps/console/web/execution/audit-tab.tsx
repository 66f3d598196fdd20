import { useState } from 'preact/hooks'
import type { AuditPage, AuditVerdict } from '../../src/protocol.ts'
import { get, post } from '../api.ts'
import { count } from '../format.ts'
import { Empty, Problem } from '../parts/notice.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { useData } from '../use-data.ts'

export function AuditTab({ arn }: { readonly arn: string }) {
  const { data, error } = useData(() => get<AuditPage>('audit', { arn }), [arn])
  const [verdict, setVerdict] = useState<AuditVerdict>()
  const verify = async (): Promise<void> => {
    try {
      setVerdict(await post<AuditVerdict>('audit/verify', { arn }))
    } catch (problem) {
      setVerdict({ isWhole: false, message: (problem as Error).message })
    }
  }
  if (error) return <Problem>{error}</Problem>
  if (!data) return null
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
        <span class="muted">{count(data.entries.length)} entries</span>
      </div>
      {data.entries.length === 0 ? (
        <Empty>The execution has left no entries.</Empty>
      ) : (
        <VirtualList
          items={data.entries}
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
