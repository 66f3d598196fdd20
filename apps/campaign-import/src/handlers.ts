import { purgeLedger as purgeTask } from '@stepwright/batch-writer/tasks'
import { recordMailEvents as eventsTask, unsubscribe as unsubscribeTask } from '@stepwright/mail/tasks'
import { claimOf, type HttpRequest, toHttpHandler } from '@stepwright/task/http'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { beginSending as beginTask } from './begin-sending.ts'
import { changeCampaign as changeTask } from './change-campaign.ts'
import * as ports from './compose.ts'
import { failImport as failTask } from './fail-import.ts'
import { finalizeImport as finalizeTask } from './finalize-import.ts'
import { finishSending as finishTask } from './finish-sending.ts'
import * as tasks from './import-tasks.ts'
import { migrateDatabase as migrateTask } from './migrations.ts'
import { pauseCampaign as pauseTask } from './pause-campaign.ts'
import { purgeRecipients as purgeRecipientsTask } from './purge-recipients.ts'
import { registerCampaign as registerTask } from './register-campaign.ts'
import { requestUpload as uploadTask } from './request-upload.ts'
import { resendCampaign as resendTask } from './resend-campaign.ts'
import { sendBatch as sendTask } from './send-batch.ts'
import * as settings from './settings.ts'
import { listCampaigns as listTask, showCampaign as showTask } from './show-campaign.ts'
import { sweepCampaigns as sweepTask } from './sweep-campaigns.ts'
import { askPage, askToUnsubscribe as askTask, donePage } from './unsubscribe-page.ts'

const api = { input: ofCaller, envelope: false } as const
const campaigns = { settings: settings.databaseSettings, ports: ports.campaignPorts }
const writer = { settings: settings.databaseSettings, ports: ports.writerPorts }
const ledger = { settings: settings.databaseSettings, ports: ports.ledgerPorts }
const migrating = { settings: settings.databaseSettings, ports: ports.migratePorts }
const splitting = { settings: settings.storeSettings, ports: ports.splitPorts }
const importing = { settings: settings.dataSettings, ports: ports.importPorts }
const uploading = { settings: settings.dataSettings, ports: ports.uploadPorts }
const showing = { settings: settings.dataSettings, ports: ports.showPorts }
const finalizing = { settings: settings.finalizeSettings, ports: ports.finalizePorts }
const starting = { settings: settings.startSettings, ports: ports.startPorts }
const sending = { settings: settings.sendSettings, ports: ports.sendPorts }
const followingMail = { settings: settings.databaseSettings, ports: ports.mailEventPorts }
const purging = { settings: settings.databaseSettings, ports: ports.purgePorts }
const unsubscribing = {
  settings: settings.unsubscribeSettings,
  ports: ports.unsubscribePorts,
  body: 'ignored',
} as const
const sweeping = { settings: settings.sweepSettings, ports: ports.sweepPorts }
const registering = { settings: settings.registerSettings, ports: ports.registerPorts, ...api }

export const deleteExistingRecipients = /* @__PURE__ */ toLambdaHandler(
  tasks.deleteExistingRecipients,
  writer,
)
export const splitCsv = /* @__PURE__ */ toLambdaHandler(tasks.splitRecipients, splitting)
export const importChunk = /* @__PURE__ */ toLambdaHandler(tasks.importRecipients, importing)
export const summarizeImport = /* @__PURE__ */ toLambdaHandler(tasks.summarizeImport, ledger)
export const finalizeImport = /* @__PURE__ */ toLambdaHandler(finalizeTask, finalizing)
export const startSending = /* @__PURE__ */ toLambdaHandler(tasks.startSending, starting)
export const failImport = /* @__PURE__ */ toLambdaHandler(failTask, campaigns)

export const beginSending = /* @__PURE__ */ toLambdaHandler(beginTask, campaigns)
export const sendBatch = /* @__PURE__ */ toLambdaHandler(sendTask, sending)
export const finishSending = /* @__PURE__ */ toLambdaHandler(finishTask, campaigns)

export const sweepCampaigns = /* @__PURE__ */ toLambdaHandler(sweepTask, sweeping)
export const recordMailEvents = /* @__PURE__ */ toLambdaHandler(eventsTask, followingMail)
export const purgeRecipients = /* @__PURE__ */ toLambdaHandler(purgeRecipientsTask, purging)
export const purgeLedger = /* @__PURE__ */ toLambdaHandler(/* @__PURE__ */ purgeTask(), ledger)
export const migrateDatabase = /* @__PURE__ */ toLambdaHandler(migrateTask, migrating)

export const requestUpload = /* @__PURE__ */ toHttpHandler(uploadTask, {
  ...uploading,
  envelope: false,
  input: request => ({ ownerId: claimOf(request, 'sub'), contentLength: request.query['content_length'] }),
})
export const registerCampaign = /* @__PURE__ */ toHttpHandler(registerTask, {
  ...registering,
  successStatus: 202,
})
export const changeCampaign = /* @__PURE__ */ toHttpHandler(changeTask, registering)
export const pauseCampaign = /* @__PURE__ */ toHttpHandler(pauseTask, { ...campaigns, ...api })
export const resendCampaign = /* @__PURE__ */ toHttpHandler(resendTask, { ...sweeping, ...api })
export const showCampaign = /* @__PURE__ */ toHttpHandler(showTask, { ...showing, ...api })
export const listCampaigns = /* @__PURE__ */ toHttpHandler(listTask, { ...campaigns, ...api })

export const askToUnsubscribe = /* @__PURE__ */ toHttpHandler(askTask, {
  ...unsubscribing,
  response: () => askPage,
})
export const unsubscribe = /* @__PURE__ */ toHttpHandler(unsubscribeTask, {
  ...unsubscribing,
  response: () => donePage,
})

/** What the caller says, and who it is: the token's word comes last. */
function ofCaller(request: HttpRequest): object {
  const { query, body, pathParameters } = request
  return { ...query, ...(body as object), ...pathParameters, caller: claimOf(request, 'sub') }
}
