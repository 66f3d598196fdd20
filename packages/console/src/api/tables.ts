import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb'
import { ConsoleProblem } from '../problem.ts'
import type { TablePage } from '../protocol.ts'
import type { ApiContext, ApiRoutes } from './context.ts'

const maxItems = 100

export const tableRoutes: ApiRoutes = {
  'GET /api/table': async ({ query }, { dynamoDb, running }): Promise<TablePage> => {
    const table = knownTable(query, running)
    const after = query.get('after')
    const { Items = [], LastEvaluatedKey } = await dynamoDb.send(
      new ScanCommand({
        TableName: table,
        Limit: maxItems,
        ...(after && { ExclusiveStartKey: parseKey(after) }),
      }),
    )
    return {
      items: Items.map(item =>
        Object.fromEntries(Object.entries(item).map(([key, value]) => [key, plain(value)])),
      ),
      next: LastEvaluatedKey && Buffer.from(JSON.stringify(LastEvaluatedKey)).toString('base64url'),
    }
  },
}

/** The table that is asked about, which must be one of the app's. */
export function knownTable(query: URLSearchParams, { names }: ApiContext['running']): string {
  const table = query.get('table') ?? ''
  if (Object.values(names.tables).includes(table)) return table
  throw new ConsoleProblem(404, `There is no table ${table}.`)
}

function parseKey(text: string): Record<string, AttributeValue> {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw new ConsoleProblem(400, 'after must be what the page before said.')
  }
}

/** An attribute as people read it. */
export function plain(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S
  if (value.N !== undefined) return plainNumber(value.N)
  if (value.BOOL !== undefined) return value.BOOL
  if (value.NULL) return null
  if (value.B !== undefined) return `base64:${Buffer.from(value.B).toString('base64')}`
  if (value.L) return value.L.map(plain)
  if (value.M) return Object.fromEntries(Object.entries(value.M).map(([key, inner]) => [key, plain(inner)]))
  return value.SS ?? value.NS?.map(plainNumber) ?? value.BS?.map(bytes => plain({ B: bytes }))
}

/** DynamoDB's have 38 digits: those that a number cannot hold stay text. */
function plainNumber(text: string): number | string {
  return String(Number(text)) === text ? Number(text) : text
}
