import type { Finding, StateMachine } from '@stepwright/asl'
import { useEffect } from 'preact/hooks'
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
  useEffect(() => listen({}, message => void (message.topic === 'definitions' && reload())), [])
  if (error) return <Problem>{error}</Problem>
  if (!data) return null
  const definition = JSON.parse(data.definition) as StateMachine
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{workflow}</h1>
      </header>
      <div class="split">
        <Graph definition={definition} label={workflow} findings={countFindings(data.findings)} />
        <div class="side-by-side stacked">
          {data.findings.length > 0 && <Findings findings={data.findings} />}
          <Json value={definition} label="Definition" />
        </div>
      </div>
    </section>
  )
}
