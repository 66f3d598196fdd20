import { toLambdaHandler } from '@stepwright/task/lambda'
import * as compose from './compose.ts'
import * as tasks from './import-tasks.ts'
import { migrateDatabase } from './migrate-database.ts'
import * as settings from './settings.ts'

export const migrate = toLambdaHandler(migrateDatabase, {
  settings: settings.databaseSettings,
  ports: compose.composeMigrations,
})
export const start = toLambdaHandler(tasks.startImport, {
  settings: settings.startSettings,
  ports: compose.composeStart,
})
export const split = toLambdaHandler(tasks.splitContacts, {
  settings: settings.splitSettings,
  ports: compose.composeSplit,
})
export const write = toLambdaHandler(tasks.writeContacts, {
  settings: settings.writeSettings,
  ports: compose.composeWrite,
})
export const summarize = toLambdaHandler(tasks.summarizeImport, {
  settings: settings.databaseSettings,
  ports: compose.composeSummary,
})
