import { toLambdaHandler } from '@stepwright/task/lambda'
import { acceptSchema } from './accept-schema.ts'
import { checkSchema } from './check-schema.ts'
import {
  composeFail,
  composePlan,
  composePreflight,
  composePublish,
  composeSchema,
  composeStarter,
} from './compose.ts'
import { logFields } from './correlation.ts'
import { failPartition } from './fail-partition.ts'
import { planTransform } from './plan-transform.ts'
import { preflight as preflightTask } from './preflight.ts'
import { publishPartition } from './publish-partition.ts'
import {
  lockSettings,
  planSettings,
  preflightSettings,
  publishSettings,
  schemaSettings,
  starterSettings,
} from './settings.ts'
import { startTransform } from './start-transform.ts'
import { summarizeTransform } from './summarize-transform.ts'

export const plan = /* @__PURE__ */ toLambdaHandler(planTransform, {
  settings: planSettings,
  ports: composePlan,
  logFields,
})

export const preflight = /* @__PURE__ */ toLambdaHandler(preflightTask, {
  settings: preflightSettings,
  ports: composePreflight,
  logFields,
})

export const publish = /* @__PURE__ */ toLambdaHandler(publishPartition, {
  settings: publishSettings,
  ports: composePublish,
  logFields,
})

export const fail = /* @__PURE__ */ toLambdaHandler(failPartition, {
  settings: lockSettings,
  ports: composeFail,
  logFields,
})

export const check = /* @__PURE__ */ toLambdaHandler(checkSchema, {
  settings: schemaSettings,
  ports: composeSchema,
  logFields,
})

export const accept = /* @__PURE__ */ toLambdaHandler(acceptSchema, {
  settings: schemaSettings,
  ports: composeSchema,
  logFields,
})

export const summarize = /* @__PURE__ */ toLambdaHandler(summarizeTransform, { logFields })

export const start = /* @__PURE__ */ toLambdaHandler(startTransform, {
  settings: starterSettings,
  ports: composeStarter,
})
