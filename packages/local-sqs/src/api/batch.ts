import {
  checkParameters,
  ServiceError,
  type ServiceInput,
  type SupportedParameters,
  toServiceError,
} from '@stepwright/local-server'
import { inputsOf } from './input.ts'
import { attributeBytes, parseMessageAttributes } from './message-attributes.ts'
import { parameters } from './parameters.ts'

/** What entries read: what the operation on one message does, and an id. */
const entryParameters: SupportedParameters = Object.fromEntries(
  ['SendMessage', 'DeleteMessage', 'ChangeMessageVisibility'].map(operation => [
    `${operation}BatchRequestEntry`,
    ['Id', ...(parameters[operation] ?? [])],
  ]),
)
const maxEntries = 10
const maxBatchBytes = 1_048_576
const entryId = /^[\w-]{1,80}$/

/**
 * Carries out the entries of a batch one by one: one that fails does not keep the others.
 * @param check what is wrong with any entry, so that nothing of the batch is carried out
 */
export function runBatch(
  input: ServiceInput,
  entryType: string,
  run: (entry: ServiceInput) => object,
  check: (entry: ServiceInput) => void = () => undefined,
): object {
  const entries = inputsOf(input, 'Entries')
  checkEntries(entries, entryType)
  for (const entry of entries) checkParameters(entryParameters, entryType, entry)
  entries.forEach(check)
  const outcomes = entries.map(entry => {
    try {
      return { ok: true, outcome: { Id: entry['Id'], ...run(entry) } }
    } catch (error) {
      const { code, message, status } = toServiceError(error)
      return {
        ok: false,
        outcome: { Id: entry['Id'], Code: code, Message: message, SenderFault: status < 500 },
      }
    }
  })
  return {
    Successful: outcomes.filter(({ ok }) => ok).map(({ outcome }) => outcome),
    Failed: outcomes.filter(({ ok }) => !ok).map(({ outcome }) => outcome),
  }
}

function checkEntries(entries: readonly ServiceInput[], entryType: string): void {
  if (entries.length === 0) {
    throw new ServiceError('EmptyBatchRequest', `There should be at least one ${entryType} in the request.`)
  }
  if (entries.length > maxEntries) {
    throw new ServiceError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${maxEntries}. You have sent ${entries.length}.`,
    )
  }
  const ids = new Set<unknown>()
  for (const { Id: id } of entries) {
    if (typeof id !== 'string' || !entryId.test(id)) {
      throw new ServiceError(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
      )
    }
    if (ids.has(id)) throw new ServiceError('BatchEntryIdsNotDistinct', `Id ${id} repeated.`)
    ids.add(id)
  }
  const bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0)
  if (bytes > maxBatchBytes) {
    throw new ServiceError(
      'BatchRequestTooLong',
      `Batch requests cannot be longer than ${maxBatchBytes} bytes. You have sent ${bytes} bytes.`,
    )
  }
}

/** Of what can be sent; what cannot is refused by itself. */
function bytesOf({ MessageBody, MessageAttributes }: ServiceInput): number {
  const bodyBytes = typeof MessageBody === 'string' ? Buffer.byteLength(MessageBody) : 0
  try {
    return bodyBytes + attributeBytes(parseMessageAttributes(MessageAttributes))
  } catch {
    return bodyBytes
  }
}
