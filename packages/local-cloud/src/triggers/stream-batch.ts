/** A change of an item, as GetRecords answers it. */
export interface StreamRecord {
  /** Of what DynamoDB did by itself. */
  readonly userIdentity?: { readonly PrincipalId: string; readonly Type: string }
  readonly dynamodb: {
    readonly SequenceNumber: string
    readonly ApproximateCreationDateTime?: number
  }
}

export interface StreamBatchOptions {
  /** Works on the records; its answer may name the one from which on it failed. */
  readonly handle: (records: readonly StreamRecord[]) => Promise<unknown>
  readonly maxRetries: number
  /** Waits before the next try, of which this is the how-manieth. Rejects when everything ends. */
  readonly pause: (tries: number) => Promise<void>
  /** Everything up to this record is done, or given up. */
  readonly onDone: (last: StreamRecord) => Promise<void>
  /** A record that failed at every try, which is skipped. */
  readonly onGivenUp: (record: StreamRecord, tries: number) => Promise<void>
}

/**
 * Works on records in order, as Lambda does with BisectBatchOnFunctionError: what is behind a failed record waits for
 * it, a batch that fails as a whole is split, and a record that fails alone is tried again until it is given up.
 */
export async function runStreamBatch(
  records: readonly StreamRecord[],
  options: StreamBatchOptions,
): Promise<void> {
  const { handle, maxRetries, pause, onDone, onGivenUp } = options
  let open = records
  /** How many of the open records the next call gets. */
  let size = records.length
  let tries = 0
  const finish = async (count: number): Promise<void> => {
    const last = open[count - 1]
    if (last === undefined) return
    await onDone(last)
    open = open.slice(count)
    tries = 0
  }
  while (open.length > 0) {
    const batch = open.slice(0, size)
    const failedAt = await firstFailure(batch, handle)
    await finish(failedAt?.index ?? batch.length)
    if (failedAt === undefined) {
      size = open.length
      continue
    }
    const [first] = open
    const left = batch.length - failedAt.index
    if (left > 1) {
      // The answer said which record failed, or nothing is known but that one of them did.
      size = failedAt.isKnown ? 1 : Math.ceil(left / 2)
      continue
    }
    tries += 1
    size = 1
    if (first === undefined) return
    if (tries > maxRetries) {
      await onGivenUp(first, tries)
      await finish(1)
      size = open.length
    } else await pause(tries)
  }
}

interface Failure {
  readonly index: number
  readonly isKnown: boolean
}

async function firstFailure(
  batch: readonly StreamRecord[],
  handle: StreamBatchOptions['handle'],
): Promise<Failure | undefined> {
  let answer: unknown
  try {
    answer = await handle(batch)
  } catch {
    return { index: 0, isKnown: false }
  }
  if (typeof answer !== 'object' || answer === null || !('batchItemFailures' in answer)) return undefined
  const { batchItemFailures: failures } = answer
  if (failures === null || failures === undefined) return undefined
  // A report that cannot be understood is a failure of all.
  if (!Array.isArray(failures)) return { index: 0, isKnown: false }
  if (failures.length === 0) return undefined
  const indexes = failures.map(failure =>
    batch.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === failure?.itemIdentifier),
  )
  return indexes.includes(-1) ? { index: 0, isKnown: false } : { index: Math.min(...indexes), isKnown: true }
}
