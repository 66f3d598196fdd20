import { toLambdaHandler } from '@stepwright/task/lambda'
import { composeMigrations, composeProcessor, composeStarter } from './compose.ts'
import { csvProcessor, startProcessing } from './csv-processor.ts'
import { migrateDatabase } from './migrate-database.ts'
import { databaseSettings, processorSettings, starterSettings } from './settings.ts'

export const handler = /* @__PURE__ */ toLambdaHandler(csvProcessor, {
  settings: processorSettings,
  ports: composeProcessor,
})

export const start = /* @__PURE__ */ toLambdaHandler(startProcessing, {
  settings: starterSettings,
  ports: composeStarter,
})

export const migrate = /* @__PURE__ */ toLambdaHandler(migrateDatabase, {
  settings: databaseSettings,
  ports: composeMigrations,
})
