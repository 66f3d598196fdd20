import { purgeLedger as purgeLedgerTask } from '@stepwright/batch-writer/tasks'
import { claimOf, type HttpRequest, toHttpHandler } from '@stepwright/task/http'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { beginSending as beginTask } from './begin-sending.ts'
import { changeCampaign as changeTask } from './change-campaign.ts'
import * as ports from './compose.ts'
import { failImport as failTask } from './fail-import.ts'
import { finalizeImport as finalizeTask } from './finalize-import.ts'
import { finishSending as finishTask } from './finish-sending.ts'
import * as tasks from './import-tasks.ts'
import { migrateDatabase as migrateTask } from './migrate-database.ts'
import { pauseCampaign as pauseTask } from './pause-campaign.ts'
import { registerCampaign as registerTask } from './register-campaign.ts'
import { requestUpload as requestUploadTask } from './request-upload.ts'
import { sendBatch as sendTask } from './send-batch.ts'
import * as settings from './settings.ts'
import { listCampaigns as listTask, showCampaign as showTask } from './show-campaign.ts'
import { sweepCampaigns as sweepTask } from './sweep-campaigns.ts'

const campaigns = { settings: settings.databaseSettings, ports: ports.campaignPorts }
const register = { settings: settings.registerSettings, ports: ports.registerPorts, envelope: false }

// biome-ignore-start format: one line each
export const deleteExistingRecipients = /* @__PURE__ */ toLambdaHandler(tasks.deleteExistingRecipients, {
  settings: settings.databaseSettings,
  ports: ports.writerPorts,
})
export const splitCsv = /* @__PURE__ */ toLambdaHandler(tasks.splitRecipients, {
  settings: settings.storeSettings,
  ports: ports.splitPorts,
})
export const importChunk = /* @__PURE__ */ toLambdaHandler(tasks.importRecipients, {
  settings: settings.dataSettings,
  ports: ports.importPorts,
})
export const summarizeImport = /* @__PURE__ */ toLambdaHandler(tasks.summarizeImport, {
  settings: settings.databaseSettings,
  ports: ports.ledgerPorts,
})
export const finalizeImport = /* @__PURE__ */ toLambdaHandler(finalizeTask, {
  settings: settings.finalizeSettings,
  ports: ports.finalizePorts,
})
export const startSending = /* @__PURE__ */ toLambdaHandler(tasks.startSending, {
  settings: settings.startSettings,
  ports: ports.startPorts,
})
export const failImport = /* @__PURE__ */ toLambdaHandler(failTask, campaigns)

export const beginSending = /* @__PURE__ */ toLambdaHandler(beginTask, campaigns)
export const sendBatch = /* @__PURE__ */ toLambdaHandler(sendTask, {
  settings: settings.sendSettings,
  ports: ports.sendPorts,
})
export const finishSending = /* @__PURE__ */ toLambdaHandler(finishTask, campaigns)

export const sweepCampaigns = /* @__PURE__ */ toLambdaHandler(sweepTask, {
  settings: settings.sweepSettings,
  ports: ports.sweepPorts,
})
export const purgeLedger = /* @__PURE__ */ toLambdaHandler(/* @__PURE__ */ purgeLedgerTask(), {
  settings: settings.databaseSettings,
  ports: ports.ledgerPorts,
})
export const migrateDatabase = /* @__PURE__ */ toLambdaHandler(migrateTask, {
  settings: settings.databaseSettings,
  ports: ports.migratePorts,
})

export const requestUpload = /* @__PURE__ */ toHttpHandler(requestUploadTask, {
  settings: settings.dataSettings,
  ports: ports.uploadPorts,
  input: ofCaller,
  envelope: false,
})
export const registerCampaign = /* @__PURE__ */ toHttpHandler(registerTask, {
  ...register,
  input: ofCaller,
  successStatus: 202,
})
export const changeCampaign = /* @__PURE__ */ toHttpHandler(changeTask, { ...register, input: ofCaller })
export const pauseCampaign = /* @__PURE__ */ toHttpHandler(pauseTask, {
  ...campaigns,
  input: ofCaller,
  envelope: false,
})
export const showCampaign = /* @__PURE__ */ toHttpHandler(showTask, {
  settings: settings.dataSettings,
  ports: ports.showPorts,
  input: ofCaller,
  envelope: false,
})
export const listCampaigns = /* @__PURE__ */ toHttpHandler(listTask, {
  ...campaigns,
  input: ofCaller,
  envelope: false,
})
// biome-ignore-end format: one line each

/** What the caller says, and who it is: the token's word comes last. */
function ofCaller(request: HttpRequest): object {
  const { query, body, pathParameters } = request
  return { ...query, ...(body as object), ...pathParameters, caller: claimOf(request, 'sub') }
}
