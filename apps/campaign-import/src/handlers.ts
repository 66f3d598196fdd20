import { claimOf, type HttpRequest, toHttpHandler } from '@stepwright/task/http'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { beginSending as beginSendingTask } from './begin-sending.ts'
import { changeCampaign as changeCampaignTask } from './change-campaign.ts'
import { compose } from './compose.ts'
import { deleteExistingRecipients as deleteTask } from './delete-existing-recipients.ts'
import { failImport as failImportTask } from './fail-import.ts'
import { finalizeImport as finalizeTask } from './finalize-import.ts'
import { findStaleImports as findStaleTask } from './find-stale-imports.ts'
import { finishSending as finishSendingTask } from './finish-sending.ts'
import { importRecipients } from './import-recipients.ts'
import { registerCampaign as registerTask } from './register-campaign.ts'
import { requestUpload as requestUploadTask } from './request-upload.ts'
import { sendBatch as sendBatchTask } from './send-batch.ts'
import { showCampaign as showTask } from './show-campaign.ts'
import { splitRecipients } from './split-recipients.ts'

const app = /* @__PURE__ */ compose(process.env)

// biome-ignore format: one line each
export const deleteExistingRecipients = /* @__PURE__ */ toLambdaHandler(deleteTask, { ports: app.recipientPorts })
export const splitCsv = /* @__PURE__ */ toLambdaHandler(splitRecipients, { ports: app.splitPorts })
export const importChunk = /* @__PURE__ */ toLambdaHandler(importRecipients, { ports: app.importPorts })
export const finalizeImport = /* @__PURE__ */ toLambdaHandler(finalizeTask, { ports: app.finalizePorts })
export const failImport = /* @__PURE__ */ toLambdaHandler(failImportTask, { ports: app.recipientPorts })
export const findStaleImports = /* @__PURE__ */ toLambdaHandler(findStaleTask, { ports: app.recipientPorts })

export const beginSending = /* @__PURE__ */ toLambdaHandler(beginSendingTask, { ports: app.recipientPorts })
export const sendBatch = /* @__PURE__ */ toLambdaHandler(sendBatchTask, { ports: app.sendPorts })
export const finishSending = /* @__PURE__ */ toLambdaHandler(finishSendingTask, { ports: app.recipientPorts })

export const requestUpload = /* @__PURE__ */ toHttpHandler(requestUploadTask, {
  envelope: false,
  ports: app.uploadPorts,
  input: request => ({ ...request.query, ...callerOf(request) }),
})
export const registerCampaign = /* @__PURE__ */ toHttpHandler(registerTask, {
  envelope: false,
  ports: app.registerPorts,
  input: request => ({ ...bodyOf(request), ...callerOf(request) }),
  successStatus: 202,
})
export const changeCampaign = /* @__PURE__ */ toHttpHandler(changeCampaignTask, {
  envelope: false,
  ports: app.registerPorts,
  input: request => ({ ...bodyOf(request), ...callerOf(request), id: String(request.pathParameters['id']) }),
})
export const showCampaign = /* @__PURE__ */ toHttpHandler(showTask, {
  envelope: false,
  ports: app.recipientPorts,
  input: request => ({ ...callerOf(request), id: String(request.pathParameters['id']) }),
})

/** Ends the connections of this process. */
export const close = app.close

function callerOf(request: HttpRequest): { readonly caller: string } {
  return { caller: claimOf(request, 'sub') }
}

// biome-ignore lint/suspicious/noExplicitAny: the task checks what it is
function bodyOf({ body }: HttpRequest): any {
  return body
}
