import { fileURLToPath } from 'node:url'
import type { CloudConfig } from '@stepwright/cli'
import type { importTasks, sendTasks } from './tasks.ts'

type Handlers = typeof import('./handlers.ts')
type HandlerName = Exclude<keyof Handlers, 'close'>

/** Loaded at the first call: the environment is set by then. */
function handler(name: HandlerName) {
  return async (event: unknown, context: unknown): Promise<unknown> => {
    const handlers = await import('./handlers.ts')
    return handlers[name](event as never, context as never)
  }
}

const functions = {
  DeleteExistingRecipients: 'deleteExistingRecipients',
  SplitCSV: 'splitCsv',
  ImportChunk: 'importChunk',
  FinalizeImport: 'finalizeImport',
  FailImport: 'failImport',
  BeginSending: 'beginSending',
  SendBatch: 'sendBatch',
  FinishSending: 'finishSending',
} as const satisfies Record<keyof typeof importTasks | keyof typeof sendTasks, HandlerName>

function definition(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url))
}
function arn(name: string): string {
  return `arn:aws:states:us-east-1:000000000000:stateMachine:${name}`
}
const substitutions = Object.fromEntries(Object.keys(functions).map(name => [name, name]))

/** What the app has in AWS, for this machine: the handlers, state machines and routes that are deployed. */
export function localCloud(): CloudConfig {
  return {
    buckets: ['campaigns'],
    environment: {
      BUCKET_NAME: 'campaigns',
      IMPORT_STATE_MACHINE_ARN: arn('import'),
      SEND_STATE_MACHINE_ARN: arn('send'),
      DATABASE_CONNECTIONS: '8',
      MAX_SEND_RATE: '200',
      POWERTOOLS_LOG_LEVEL: 'CRITICAL',
      POWERTOOLS_METRICS_DISABLED: 'true',
    },
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, exported]) => [
        name,
        { handler: handler(exported), timeoutSeconds: 300 },
      ]),
    ),
    stateMachines: {
      import: { definition: definition('import.asl.json'), substitutions },
      send: { definition: definition('send.asl.json'), substitutions },
    },
    gateway: {
      routes: [
        { method: 'GET', path: '/presigned-url', handler: handler('requestUpload') },
        { method: 'POST', path: '/campaigns', handler: handler('registerCampaign') },
        { method: 'PUT', path: '/campaigns/{id}', handler: handler('changeCampaign') },
        { method: 'GET', path: '/campaigns/{id}', handler: handler('showCampaign') },
      ],
    },
    async prepare({ postgres }) {
      const { migrateDatabase } = await import('./migrations.ts')
      await migrateDatabase(postgres.url)
    },
  }
}
