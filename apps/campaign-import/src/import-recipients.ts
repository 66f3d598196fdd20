import { type BatchWriter, checksumOf } from '@stepwright/batch-writer'
import {
  type CsvChunk,
  createObjectSource,
  type Manifest,
  type Row,
  readChunk,
} from '@stepwright/csv-chunker'
import type { CsvStore } from '@stepwright/csv-chunker/tasks'
import { CSVValidationError, DataValidationError, isTaskError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { blameTheFile } from './blame-the-file.ts'
import { chunkSchema, columnsSchema } from './chunk.ts'
import type { RecipientRow } from './database.ts'
import { parseEmailAddress } from './email-address.ts'
import { chunkErrors, importEndedState, SupersededError } from './errors.ts'
import { importJob } from './import-job.ts'
import type { ManifestReader } from './manifest-reader.ts'
import { campaignRun, s3Key } from './schemas.ts'

export interface ImportPorts {
  readonly store: CsvStore
  readonly readManifest: ManifestReader
  readonly writer: BatchWriter<RecipientRow>
}

const nameCharacters = 200

/** State 2, for each chunk: its rows become recipients, once, however often it is delivered. */
export const importRecipients = defineTask({
  name: 'import-recipients',
  input: z.object({
    ...campaignRun.shape,
    s3_key: s3Key,
    manifest_key: z.string(),
    columns: columnsSchema,
    chunk: chunkSchema,
  }),
  output: z.object({ inserted: z.int(), duplicates: z.int(), rejected: z.int() }),
  errors: [CSVValidationError, SupersededError, ...chunkErrors],
  async run(input, { store, readManifest, writer }: ImportPorts, { signal, remainingMs }) {
    const { campaign_id, revision, s3_key, manifest_key, columns, chunk } = input
    const run = { campaign_id, revision }
    try {
      const manifest = await readManifest(manifest_key, signal)
      const { counts } = await writer.write<Row>({
        jobId: importJob(run),
        chunk: String(chunk.index).padStart(6, '0'),
        checksum: checksumOf({ s3_key, manifest_key, columns, chunk }),
        firstRowNumber: chunk.firstRow,
        records: () => readRows(store, s3_key, manifest, chunk, signal),
        toRow: row => toRecipient(row, columns, run),
        signal,
        remainingMs,
      })
      const { inserted, unchanged, duplicates, rejected } = counts
      return { inserted, duplicates: duplicates + unchanged, rejected }
    } catch (error) {
      throw explain(error, s3_key)
    }
  },
})

async function* readRows(
  store: CsvStore,
  key: string,
  manifest: Manifest,
  chunk: CsvChunk,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  for await (const { rows } of readChunk(createObjectSource(store, key), manifest, chunk, { signal })) {
    yield rows
  }
}

/** Undefined for a row without any content, such as spreadsheets leave at the end. */
function toRecipient(
  row: Row,
  columns: z.infer<typeof columnsSchema>,
  run: Pick<RecipientRow, 'campaign_id' | 'revision'>,
): RecipientRow | undefined {
  const given = row[columns.email] ?? ''
  const email = parseEmailAddress(given)
  if (email === undefined) {
    if (isBlank(row)) return undefined
    // Without the text: reasons end up in logs and histories, and staff have the row.
    throw new DataValidationError(given.trim() === '' ? 'there is no address' : 'this is no e-mail address')
  }
  const name = columns.name === null ? '' : (row[columns.name] ?? '').trim()
  const { campaign_id, revision } = run
  return { campaign_id, revision, email, name: name === '' ? null : name.slice(0, nameCharacters) }
}

function isBlank(row: Row): boolean {
  return Object.values(row).every(field => field.trim() === '')
}

/** Bad rows beyond the limit are the file's fault; the database says when the import has ended meanwhile. */
function explain(error: unknown, key: string): unknown {
  if (isTaskError(error, DataValidationError) && error.code === 'TOO_MANY_REJECTED_ROWS') {
    const { message, code, details } = error
    return new CSVValidationError(message, { code, ...(details && { details }), cause: error })
  }
  return isImportEnded(error)
    ? new SupersededError('the import has ended or was replaced', { cause: error })
    : blameTheFile(error, key)
}

function isImportEnded(error: unknown): boolean {
  for (let link = error; link instanceof Error; link = link.cause) {
    if ((link as { code?: unknown }).code === importEndedState) return true
  }
  return false
}
