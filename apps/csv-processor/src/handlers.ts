import { toLambdaHandler } from '@stepwright/task/lambda'
import { compose, toSettings } from './compose.ts'
import { csvProcessor } from './csv-processor.ts'

/** The Lambda `csv-processor`. */
export const handler = /* @__PURE__ */ toLambdaHandler(csvProcessor, {
  ports: () => compose(toSettings(process.env)),
})
