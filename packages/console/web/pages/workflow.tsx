import type { Finding, StateMachine } from '@stepwright/asl'
import { useEffect, useMemo } from 'preact/hooks'
import { get, listen } from '../api.ts'
import { countFindings } from '../execution/findings.ts'
import { Findings } from '../parts/findings.tsx'
import { Graph } from '../parts/graph.tsx'
import { Json } from '../parts/json.tsx'
import { Problem } from '../parts/notice.tsx'
import { useData } from '../use-data.ts'

export function WorkflowPage({ query }: { readonly query: URLSearchParams }) {
  const workflow = query.get('workflow') ?? ''
  const { data, error, reload } = useData(
    () => get<{ definition: string; findings: readonly Finding[] }>('workflow', { workflow }),
    [workflow],
  )
  useEffect(
    () =>
      listen({}, ({ topic }) => {
        if (topic === 'definitions' || topic === 'missed') reload()
      }),
    [],
  )
  const text = data?.definition ?? '{}'
  const definition = useMemo(() => JSON.parse(text) as StateMachine, [text])
  const findings = useMemo(() => countFindings(data?.findings ?? []), [data])
  if (error) return <Problem>{error}</Problem>
  if (!data) return null
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{workflow}</h1>
      </header>
      <div class="split">
        <Graph definition={definition} label={workflow} findings={findings} />
        <div class="side-by-side stacked">
          {data.findings.length > 0 && <Findings findings={data.findings} />}
          <Json value={definition} label="Definition" />
        </div>
      </div>
    </section>
  )
}
