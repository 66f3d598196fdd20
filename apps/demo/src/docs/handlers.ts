import * as auditBindings from '@stepwright/audit-log/bindings'
import * as auditTasks from '@stepwright/audit-log/tasks'
import * as writerBindings from '@stepwright/batch-writer/bindings'
import * as writerTasks from '@stepwright/batch-writer/tasks'
import * as csvBindings from '@stepwright/csv-chunker/bindings'
import * as csvTasks from '@stepwright/csv-chunker/tasks'
import * as idempotencyBindings from '@stepwright/idempotency/bindings'
import * as idempotencyTasks from '@stepwright/idempotency/tasks'
import * as mailBindings from '@stepwright/mail/bindings'
import * as mailTasks from '@stepwright/mail/tasks'
import * as objectBindings from '@stepwright/object-store/bindings'
import * as objectTasks from '@stepwright/object-store/tasks'
import * as jobBindings from '@stepwright/progress/bindings'
import * as jobTasks from '@stepwright/progress/tasks'
import type { AnyTask } from '@stepwright/task'
import * as z from 'zod'

/** What the packages offer under `./tasks`, as their users import it. */
export const taskModules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'csv-chunker': csvTasks,
  'batch-writer': writerTasks,
  'object-store': objectTasks,
  idempotency: idempotencyTasks,
  'audit-log': auditTasks,
  progress: jobTasks,
  mail: mailTasks,
}

/** The bindings of each package's ports, as its users import them. */
export const bindingModules: Readonly<Record<string, object>> = {
  'csv-chunker': csvBindings,
  'batch-writer': writerBindings,
  'object-store': objectBindings,
  idempotency: idempotencyBindings,
  'audit-log': auditBindings,
  progress: jobBindings,
  mail: mailBindings,
}

/** Every handler, with the least options that it takes. */
export const handlers: Readonly<Record<string, Readonly<Record<string, AnyTask>>>> = {
  'csv-chunker': { validateCsv: csvTasks.validateCsv(), splitCsv: csvTasks.splitCsv() },
  'batch-writer': {
    writeChunk: writerTasks.writeChunk({ toRow: () => row => row as object }),
    clearScope: writerTasks.clearScope(),
    summarizeLedger: writerTasks.summarizeLedger(),
    purgeLedger: writerTasks.purgeLedger(),
    purgeRows: writerTasks.purgeRows(),
  },
  'object-store': {
    presignUpload: objectTasks.presignUpload({ maxBytes: 1024 ** 3, contentType: 'text/csv' }),
  },
  idempotency: { startExecution: idempotencyTasks.startExecution(), purgeKeys: idempotencyTasks.purgeKeys },
  'audit-log': {
    recordAudit: auditTasks.recordAudit,
    recordOutcomes: auditTasks.recordOutcomes({ batch: z.unknown() }),
    recordFailure: auditTasks.recordFailure(),
    sealAudit: auditTasks.sealAudit,
    verifyAudit: auditTasks.verifyAudit,
  },
  progress: {
    startJob: jobTasks.startJob,
    startJobOf: jobTasks.startJobOf(z.object({ userId: z.string(), type: z.literal('SUM') })),
    followJob: jobTasks.followJob,
    launchWaiting: jobTasks.launchWaiting,
    workOnJob: jobTasks.workOnJob({
      name: 'work-on-job',
      description: 'Works on a job for a state that waits for a task token.',
      errors: [],
      ports: {},
      work: async () => {},
    }),
    getJob: jobTasks.getJob,
    listJobs: jobTasks.listJobs,
    retryJob: jobTasks.retryJob,
    cancelJob: jobTasks.cancelJob,
    updateStatus: jobTasks.updateStatus,
    watchJobs: jobTasks.watchJobs,
    endStuckJobs: jobTasks.endStuckJobs,
    purgeJobs: jobTasks.purgeJobs,
  },
  mail: {
    recordMailEvents: mailTasks.recordMailEvents,
    askToUnsubscribe: mailTasks.askToUnsubscribe,
    unsubscribe: mailTasks.unsubscribe,
  },
}
