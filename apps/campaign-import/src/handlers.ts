import { claimOf, type HttpRequest, toHttpHandler } from '@stepwright/task/http'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { beginSending as beginSendingTask } from './begin-sending.ts'
import { changeCampaign as changeCampaignTask } from './change-campaign.ts'
import {
  finalizePorts,
  importPorts,
  migratePorts,
  recipientPorts,
  registerPorts,
  sendPorts,
  splitPorts,
  uploadPorts,
} from './compose.ts'
import { deleteExistingRecipients as deleteTask } from './delete-existing-recipients.ts'
import { failImport as failImportTask } from './fail-import.ts'
import { finalizeImport as finalizeTask } from './finalize-import.ts'
import { findStaleImports as findStaleTask } from './find-stale-imports.ts'
import { finishSending as finishSendingTask } from './finish-sending.ts'
import { importRecipients } from './import-recipients.ts'
import { migrateDatabase as migrateTask } from './migrate-database.ts'
import { registerCampaign as registerTask } from './register-campaign.ts'
import { requestUpload as requestUploadTask } from './request-upload.ts'
import { sendBatch as sendBatchTask } from './send-batch.ts'
import {
  databaseSettings,
  finalizeSettings,
  registerSettings,
  sendSettings,
  storeSettings,
} from './settings.ts'
import { showCampaign as showTask } from './show-campaign.ts'
import { splitRecipients } from './split-recipients.ts'

const database = { settings: databaseSettings, ports: recipientPorts }
const register = { settings: registerSettings, ports: registerPorts, envelope: false }

export const deleteExistingRecipients = /* @__PURE__ */ toLambdaHandler(deleteTask, database)
// biome-ignore format: one line each
export const splitCsv = /* @__PURE__ */ toLambdaHandler(splitRecipients, { settings: storeSettings, ports: splitPorts })
// biome-ignore format: one line each
export const importChunk = /* @__PURE__ */ toLambdaHandler(importRecipients, { settings: storeSettings, ports: importPorts })
// biome-ignore format: one line each
export const finalizeImport = /* @__PURE__ */ toLambdaHandler(finalizeTask, { settings: finalizeSettings, ports: finalizePorts })
export const failImport = /* @__PURE__ */ toLambdaHandler(failImportTask, database)
export const findStaleImports = /* @__PURE__ */ toLambdaHandler(findStaleTask, database)

export const beginSending = /* @__PURE__ */ toLambdaHandler(beginSendingTask, database)
// biome-ignore format: one line each
export const sendBatch = /* @__PURE__ */ toLambdaHandler(sendBatchTask, { settings: sendSettings, ports: sendPorts })
export const finishSending = /* @__PURE__ */ toLambdaHandler(finishSendingTask, database)

export const requestUpload = /* @__PURE__ */ toHttpHandler(requestUploadTask, {
  settings: storeSettings,
  ports: uploadPorts,
  envelope: false,
  input: request => ({ ...request.query, ...callerOf(request) }),
})
export const registerCampaign = /* @__PURE__ */ toHttpHandler(registerTask, {
  ...register,
  input: request => ({ ...bodyOf(request), ...callerOf(request) }),
  successStatus: 202,
})
export const changeCampaign = /* @__PURE__ */ toHttpHandler(changeCampaignTask, {
  ...register,
  input: request => ({ ...bodyOf(request), ...callerOf(request), id: request.pathParameters['id'] }),
})
export const showCampaign = /* @__PURE__ */ toHttpHandler(showTask, {
  ...database,
  envelope: false,
  input: request => ({ ...callerOf(request), id: request.pathParameters['id'] }),
})

// biome-ignore format: one line each
export const migrateDatabase = /* @__PURE__ */ toLambdaHandler(migrateTask, { settings: databaseSettings, ports: migratePorts })

function callerOf(request: HttpRequest): { readonly caller: string } {
  return { caller: claimOf(request, 'sub') }
}

function bodyOf({ body }: HttpRequest): object {
  return body as object
}
