import { defineApp } from '@stepwright/app'
import { toJSONSchema } from 'zod'
import * as tasks from './import-tasks.ts'
import { migrateDatabase } from './migrate-database.ts'
import * as settings from './settings.ts'

const module = 'src/handlers.ts'
const database = { DATABASE_URL: { database: 'url' } } as const

/** All that there is, said once: checked, run on this machine, and deployed from here. */
export const app = defineApp({
  name: '{{name}}',
  root: new URL('..', import.meta.url),
  resources: {
    buckets: { files: { expiry: [{ prefix: 'chunks/', days: 30 }] } },
  },
  database: { migratedBy: 'MigrateDatabase' },
  functions: {
    MigrateDatabase: {
      module,
      export: 'migrate',
      task: migrateDatabase,
      settings: settings.databaseSettings,
      timeoutSeconds: 300,
      environment: database,
    },
    StartImport: {
      module,
      export: 'start',
      task: tasks.startImport,
      settings: settings.startSettings,
      environment: { IMPORT_ARN: { workflow: 'import', may: ['start'] } },
    },
    SplitContacts: {
      module,
      export: 'split',
      task: tasks.splitContacts,
      settings: settings.splitSettings,
      timeoutSeconds: 280,
      environment: { BUCKET_NAME: { bucket: 'files', may: ['read', 'write chunks/*'] } },
    },
    WriteContacts: {
      module,
      export: 'write',
      task: tasks.writeContacts,
      settings: settings.writeSettings,
      timeoutSeconds: 280,
      environment: { ...database, BUCKET_NAME: { bucket: 'files', may: ['read'] } },
    },
    SummarizeImport: {
      module,
      export: 'summarize',
      task: tasks.summarizeImport,
      settings: settings.databaseSettings,
      timeoutSeconds: 50,
      environment: database,
    },
  },
  workflows: {
    import: { definition: 'import.asl.json', input: tasks.importInput },
  },
  triggers: {
    FileUploaded: { objectCreated: { bucket: 'files', prefix: 'contacts/' }, calls: 'StartImport' },
  },
  toJsonSchema: (schema, io) => toJSONSchema(schema as never, { io, unrepresentable: 'any' }),
})
