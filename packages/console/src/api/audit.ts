import { ConsoleProblem } from '../problem.ts'
import type { AuditPage, AuditVerdict } from '../protocol.ts'
import type { ApiContext, ApiRoutes } from './context.ts'
import { importOfApp } from './import-of-app.ts'
import { readCount } from './read-query.ts'

const pageSize = 1000

export const auditRoutes: ApiRoutes = {
  'GET /api/audit': async ({ query }, context): Promise<AuditPage> => {
    const offset = readCount(query, 'offset')
    const end = offset + pageSize
    const entries: Readonly<Record<string, unknown>>[] = []
    let position = 0
    for await (const entry of (await auditOf(context)).entries({ executionId: executionIdOf(query) })) {
      if (position === end) return { entries, next: end }
      if (position >= offset) entries.push({ ...entry })
      position += 1
    }
    return { entries, next: undefined }
  },

  'POST /api/audit/verify': async (request, context): Promise<AuditVerdict> => {
    const { arn } = await request.json()
    const trail = await auditOf(context)
    const result = await trail.verify(String(arn).split(':').at(-1) ?? '')
    return result.ok
      ? {
          isWhole: true,
          message: `Whole: ${result.entries} entries of ${result.writers} writers are as they were written.`,
        }
      : { isWhole: false, message: `${result.problem.kind}: ${result.problem.message}` }
  },
}

/** A function that writes the trail says where it is and how it is signed. */
export function auditSettings({
  app,
  running,
}: ApiContext): { readonly tableName: string; readonly keys: string } | undefined {
  for (const name of Object.keys(app.functions)) {
    const { AUDIT_TABLE: tableName, AUDIT_KEYS_SECRET: keys } = running.environmentOf(name)
    if (tableName && keys) return { tableName, keys }
  }
  return undefined
}

/** The part of an audit log that the console uses. */
interface AuditTrail {
  entries(query: { readonly executionId: string }): AsyncIterable<object>
  verify(
    executionId: string,
  ): Promise<
    | { readonly ok: true; readonly entries: number; readonly writers: number }
    | { readonly ok: false; readonly problem: { readonly kind: string; readonly message: string } }
  >
}

interface AuditPackage {
  createAuditLog(options: object): AuditTrail
  parseAuditKeys(text: string): unknown
}

interface DynamoDbAuditPackage {
  createDynamoDbAuditStore(options: object): unknown
}

async function auditOf(context: ApiContext): Promise<AuditTrail> {
  const settings = auditSettings(context)
  if (settings === undefined) throw new ConsoleProblem(404, 'The app keeps no audit trail.')
  const [{ createAuditLog, parseAuditKeys }, { createDynamoDbAuditStore }] = await Promise.all([
    importOfApp<AuditPackage>(context, '@stepwright/audit-log'),
    importOfApp<DynamoDbAuditPackage>(context, '@stepwright/audit-log/dynamodb'),
  ])
  return createAuditLog({
    store: createDynamoDbAuditStore({ client: context.dynamoDb, tableName: settings.tableName }),
    keys: parseAuditKeys(settings.keys),
  })
}

function executionIdOf(query: URLSearchParams): string {
  return (query.get('arn') ?? '').split(':').at(-1) ?? ''
}
