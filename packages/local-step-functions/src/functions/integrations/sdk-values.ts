import type { IntegratedService } from './sdk-clients.ts'

type Fields = Readonly<Record<string, unknown>>

/** The kinds of a DynamoDB value as SDK integrations write them, and as everybody else does. */
const kinds = [
  ['Bool', 'BOOL'],
  ['Nul', 'NULL'],
  ['Ss', 'SS'],
  ['Ns', 'NS'],
  ['Bs', 'BS'],
] as const
const toApi = new Map<string, string>(kinds)
const fromApi = new Map<string, string>(kinds.map(([ours, theirs]) => [theirs, ours]))

/** Parameters of an SDK integration as a client takes them. */
export function toParameters(service: IntegratedService, action: string, parameters: unknown): unknown {
  if (service === 'dynamodb') return withBytes(renameKinds(parameters, toApi))
  if (typeof parameters !== 'object' || parameters === null) return parameters
  const given = parameters as Fields
  // a text is stored as JSON too, with its quotes
  if (service === 's3' && 'Body' in given)
    return {
      ...(action === 'putObject' && { ContentType: 'text/plain; charset=UTF-8' }),
      ...given,
      Body: JSON.stringify(given['Body']),
    }
  if (service === 'lambda' && 'Payload' in given) return { ...given, Payload: toText(given['Payload']) }
  return withDates(given)
}

/** An answer as the result of an SDK integration: dates and bytes as texts. */
export async function toResult(service: IntegratedService, output: unknown): Promise<unknown> {
  const plain = await toPlain(output, service === 'dynamodb')
  return service === 'dynamodb' ? renameKinds(plain, fromApi) : plain
}

/** An answer of DynamoDB as the result of an optimised integration. */
export function toOptimisedResult(output: unknown): Promise<unknown> {
  return toPlain(output, true)
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function mapFields(value: object, to: (item: unknown, key: string) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, to(item, key)]))
}

async function toPlain(value: unknown, asBase64: boolean): Promise<unknown> {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString(asBase64 ? 'base64' : 'utf8')
  if (Array.isArray(value)) return Promise.all(value.map(item => toPlain(item, asBase64)))
  if (typeof value !== 'object' || value === null) return value
  if ('transformToString' in value) return (value.transformToString as () => Promise<string>)()
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return Object.fromEntries(
    await Promise.all(entries.map(async ([key, item]) => [key, await toPlain(item, asBase64)])),
  )
}

/** Only a value's own kind is renamed, never an attribute that happens to be called so. */
function renameKinds(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map(item => renameKinds(item, names))
  if (typeof value !== 'object' || value === null) return value
  const [key, ...others] = Object.keys(value)
  const name = key === undefined || others.length > 0 ? undefined : names.get(key)
  if (key !== undefined && name !== undefined && isValueOf(name, (value as Fields)[key])) {
    return { [name]: (value as Fields)[key] }
  }
  return mapFields(value, item => renameKinds(item, names))
}

function isValueOf(kind: string, value: unknown): boolean {
  return ['BOOL', 'NULL', 'Bool', 'Nul'].includes(kind) ? typeof value === 'boolean' : Array.isArray(value)
}

/** Binary values travel as base64. */
export function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes)
  if (typeof value !== 'object' || value === null) return value
  const [key, ...others] = Object.keys(value)
  const only = others.length === 0 ? (value as Fields)[key ?? ''] : undefined
  if (key === 'B' && typeof only === 'string') return { B: Buffer.from(only, 'base64') }
  if (key === 'BS' && Array.isArray(only))
    return { BS: only.map(item => Buffer.from(String(item), 'base64')) }
  return mapFields(value, withBytes)
}

const timestampField = /(^|[a-z])(Time|Timestamp|Date)$/

/** Clients take times as dates. */
function withDates(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map(item => withDates(item))
  if (typeof value === 'string' && timestampField.test(name) && /^\d{4}-\d\d-\d\dT/.test(value)) {
    return new Date(value)
  }
  if (typeof value !== 'object' || value === null) return value
  return mapFields(value, withDates)
}
