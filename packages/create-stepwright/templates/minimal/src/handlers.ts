import { SFNClient } from '@aws-sdk/client-sfn'
import { createStepFunctionsExecutions } from '@stepwright/idempotency/step-functions'
import { toHttpHandler } from '@stepwright/task/http'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { createCatalogue } from './catalogue.ts'
import { priceOrder } from './price-order.ts'
import { startSettings } from './settings.ts'
import { startOrder } from './start-order.ts'

export const price = toLambdaHandler(priceOrder, { ports: () => ({ catalogue: createCatalogue() }) })

export const start = toHttpHandler(startOrder, {
  settings: startSettings,
  successStatus: 202,
  ports: ({ ORDER_ARN }) => ({
    executions: createStepFunctionsExecutions({ client: () => new SFNClient({}) }),
    stateMachineArn: ORDER_ARN,
  }),
})
