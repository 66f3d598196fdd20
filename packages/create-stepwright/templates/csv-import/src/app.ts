import { defineApp } from '@stepwright/app'
import * as functions from './functions/index.ts'
import { importInput } from './import-input.ts'
import { db, files, importing } from './resources.ts'

/** The whole app: `check`, `dev`, the tests and the deployment read this declaration. */
export const app = defineApp({
  name: '{{name}}',
  root: new URL('..', import.meta.url),
  resources: { db, files },
  functions,
  migratedBy: functions.MigrateDatabase,
  workflows: [[importing, { definition: 'import.asl.json', input: importInput }]],
  triggers: {
    FileUploaded: { objectCreated: { bucket: files, prefix: 'contacts/' }, calls: functions.StartImport },
  },
})
