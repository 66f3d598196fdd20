import { beginSending } from './begin-sending.ts'
import { deleteExistingRecipients } from './delete-existing-recipients.ts'
import { failImport } from './fail-import.ts'
import { finalizeImport } from './finalize-import.ts'
import { finishSending } from './finish-sending.ts'
import { importRecipients } from './import-recipients.ts'
import { sendBatch } from './send-batch.ts'
import { splitRecipients } from './split-recipients.ts'

/** What the states of `import.asl.json` call. */
export const importTasks = {
  DeleteExistingRecipients: deleteExistingRecipients,
  SplitCSV: splitRecipients,
  ImportChunk: importRecipients,
  FinalizeImport: finalizeImport,
  FailImport: failImport,
}

/** What the states of `send.asl.json` call. */
export const sendTasks = {
  BeginSending: beginSending,
  SendBatch: sendBatch,
  FinishSending: finishSending,
}
