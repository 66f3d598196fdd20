import type { Inspected } from '@stepwright/app/bindings'
import { ConsoleProblem } from '../problem.ts'
import type { AuditPage, AuditVerdict } from '../protocol.ts'
import type { ApiContext, ApiRoutes } from './context.ts'
import { readCount } from './read-query.ts'

const pageSize = 1000

export const auditRoutes: ApiRoutes = {
  'GET /api/audit': async ({ query }, context): Promise<AuditPage> => {
    const offset = readCount(query, 'offset')
    const end = offset + pageSize
    const entries: Readonly<Record<string, unknown>>[] = []
    let position = 0
    const trail = await openTrail(context)
    for await (const entry of trail.entries(executionIdOf(query.get('arn')))) {
      if (position === end) return { entries, next: end }
      if (position >= offset) entries.push({ ...entry })
      position += 1
    }
    return { entries, next: undefined }
  },

  'POST /api/audit/verify': async (request, context): Promise<AuditVerdict> => {
    const { arn } = await request.json()
    const trail = await openTrail(context)
    return trail.verify(executionIdOf(arn))
  },
}

async function openTrail({ inspections }: ApiContext): Promise<Inspected['trail']> {
  const [first] = await inspections.open('trail')
  if (first === undefined) throw new ConsoleProblem(404, 'The app keeps no audit trail.')
  return first
}

function executionIdOf(arn: unknown): string {
  return (
    String(arn ?? '')
      .split(':')
      .at(-1) ?? ''
  )
}
