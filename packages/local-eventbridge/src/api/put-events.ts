import { randomUUID } from 'node:crypto'
import { ServiceError, type ServiceInput } from '@stepwright/local-server'
import { type BusEvent, toEventTime } from '../rules/event.ts'
import type { Rules } from '../rules/rules.ts'

const maxEntries = 10
const maxBytes = 1024 * 1024
const supported = ['Source', 'DetailType', 'Detail', 'Resources', 'Time', 'EventBusName']

export interface EventOrigin {
  readonly account: string
  readonly region: string
  readonly now: () => number
}

type EntryResult =
  | { readonly EventId: string }
  | { readonly ErrorCode: string; readonly ErrorMessage: string }

/** PutEvents: each entry gets an id or a refusal of its own. */
export function putEvents(
  rules: Rules,
  origin: EventOrigin,
  { Entries }: ServiceInput,
  onPublished: (work: Promise<void>) => void,
): object {
  const entries = (Array.isArray(Entries) ? Entries : []).map((entry): ServiceInput => entry ?? {})
  if (entries.length === 0 || entries.length > maxEntries) {
    const limit = entries.length === 0 ? 'greater than or equal to 1' : `less than or equal to ${maxEntries}`
    throw new ServiceError(
      'ValidationException',
      `1 validation error detected: Value '[${entries.map(() => 'PutEventsRequestEntry').join(', ')}]' at 'entries' failed to satisfy constraint: Member must have length ${limit}`,
    )
  }
  const ignored = entries.flatMap(entry => Object.keys(entry)).find(name => !supported.includes(name))
  if (ignored !== undefined) {
    throw new ServiceError('ValidationException', `${ignored} of an entry is not supported on this machine.`)
  }
  if (entries.reduce((sum, entry) => sum + Buffer.byteLength(JSON.stringify(entry)), 0) > maxBytes) {
    throw new ServiceError(
      'ValidationException',
      'Total size of the entries in the request is over the limit.',
    )
  }
  const results = entries.map((entry): EntryResult => {
    const refusal = refusalOf(entry)
    if (refusal !== undefined) return refusal
    const event = toEvent(entry, origin)
    const busName = toBusName(entry['EventBusName'])
    // As on AWS, what is put on a bus that is not there is lost without a word.
    if (rules.buses.has(busName)) onPublished(rules.publish(busName, event))
    return { EventId: event.id }
  })
  return { Entries: results, FailedEntryCount: results.filter(result => 'ErrorCode' in result).length }
}

function refusalOf(entry: ServiceInput): EntryResult | undefined {
  for (const name of ['Source', 'DetailType', 'Detail']) {
    const value = entry[name]
    if (typeof value !== 'string' || value === '') {
      return {
        ErrorCode: 'InvalidArgument',
        ErrorMessage: `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
      }
    }
  }
  if (String(entry['Source']).startsWith('aws.')) {
    return {
      ErrorCode: 'NotAuthorizedForSourceException',
      ErrorMessage: 'Not authorized for the source.',
    }
  }
  return isObjectText(String(entry['Detail']))
    ? undefined
    : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' }
}

function toEvent(entry: ServiceInput, { account, region, now }: EventOrigin): BusEvent {
  const { Source, DetailType, Detail, Resources, Time } = entry
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': String(DetailType),
    source: String(Source),
    account,
    time: toEventTime(isTime(Time) ? Time * 1000 : now()),
    region,
    resources: Array.isArray(Resources) ? Resources.filter(resource => typeof resource === 'string') : [],
    detail: JSON.parse(String(Detail)),
  }
}

/** The name of a bus, which may be given as its ARN. */
export function toBusName(given: unknown): string {
  if (given === undefined || given === null) return 'default'
  if (typeof given === 'string') return given.replace(/^arn:.*:event-bus\//, '')
  throw new ServiceError('SerializationException', 'The name of an event bus must be a string')
}

/** Seconds that a date can have. */
function isTime(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && Math.abs(seconds * 1000) <= 8.64e15
}

function isObjectText(text: string): boolean {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
