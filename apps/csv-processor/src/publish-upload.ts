import { batchWriterTaskErrors } from '@stepwright/batch-writer/tasks'
import type { CsvFile } from '@stepwright/csv-chunker'
import { csvFileSchema } from '@stepwright/csv-chunker/tasks'
import { defineTask, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import type { DataPorts } from './data-ports.ts'
import { toUploadOrder, upload } from './object-created.ts'
import { sourceOf } from './user-activity.ts'

type PublishPorts = Pick<DataPorts, 'uploads' | 'writer'>

/** Shows readers the upload; whether they see it, and not a later one. */
export async function publish(
  { jobId, file }: { readonly jobId: string; readonly file: CsvFile },
  of: z.output<typeof upload>,
  { uploads, writer }: PublishPorts,
  context: TaskContext,
): Promise<boolean> {
  const source = sourceOf(file)
  const order = toUploadOrder(of)
  const below = await uploads.complete(source, order)
  // Only now what the file said before is deleted; or what this one said, if a later upload was completed first.
  await writer.clearScope(jobId, { source, upload_order: { below } }, context)
  return below === order
}

/** UPLOAD_PUBLISHING: the last effect of a successful run, after the seal. Until here, readers see the upload before. */
export const publishUpload = defineTask({
  name: 'publish-upload',
  idempotent: true,
  input: z.object({
    validation: z.looseObject({ jobId: z.string(), file: csvFileSchema }),
    upload,
  }),
  output: z.object({ shown: z.boolean() }),
  errors: batchWriterTaskErrors,
  async run({ validation, upload: of }, ports: PublishPorts, context) {
    return { shown: await publish(validation, of, ports, context) }
  },
})
