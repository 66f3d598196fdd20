import type { TaskError } from './task-error.ts'
import { toTaskError } from './to-task-error.ts'

interface SqsRecord {
  readonly messageId: string
  readonly attributes?: { readonly MessageGroupId?: string }
}

/** What a Lambda with `ReportBatchItemFailures` answers. */
export interface SqsBatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[]
}

/**
 * Handles a batch of messages: a retryable failure goes back to the queue, a business failure straight to
 * `deadLetter`, since receiving it again would only fail again. In a FIFO queue, the messages of a group
 * that follow one that went back go back too, unhandled, so that their order holds.
 */
export async function handleSqsBatch<Record extends SqsRecord>(
  records: readonly Record[],
  handle: (record: Record) => Promise<unknown>,
  deadLetter: (record: Record, error: TaskError) => Promise<unknown>,
): Promise<SqsBatchResponse> {
  const failed: string[] = []
  const blockedGroups = new Set<string>()
  for (const record of records) {
    const group = record.attributes?.MessageGroupId
    if ((group !== undefined && blockedGroups.has(group)) || !(await settle(record, handle, deadLetter))) {
      failed.push(record.messageId)
      if (group !== undefined) blockedGroups.add(group)
    }
  }
  return { batchItemFailures: failed.map(itemIdentifier => ({ itemIdentifier })) }
}

async function settle<Record>(
  record: Record,
  handle: (record: Record) => Promise<unknown>,
  deadLetter: (record: Record, error: TaskError) => Promise<unknown>,
): Promise<boolean> {
  try {
    await handle(record)
    return true
  } catch (thrown) {
    const error = toTaskError(thrown)
    if (error.kind === 'retryable') return false
    try {
      await deadLetter(record, error)
      return true
    } catch {
      return false
    }
  }
}
