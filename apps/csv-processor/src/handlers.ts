import { toLambdaHandler } from '@stepwright/task/lambda'
import { compose, composeStarter, toSettings } from './compose.ts'
import { csvProcessor } from './csv-processor.ts'
import { startProcessing } from './start-processing.ts'

/** The Lambda `csv-processor`. */
export const handler = /* @__PURE__ */ toLambdaHandler(csvProcessor, {
  ports: () => compose(toSettings(process.env)),
})

/** The Lambda that EventBridge calls for every object under `data/`. */
export const start = /* @__PURE__ */ toLambdaHandler(startProcessing, {
  ports: () => composeStarter(process.env),
})
