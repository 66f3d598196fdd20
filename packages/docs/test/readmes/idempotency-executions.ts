import * as z from 'zod'

const objectCreated = z.looseObject({
  detail: z.looseObject({
    bucket: z.looseObject({ name: z.string() }),
    object: z.looseObject({ key: z.string(), etag: z.string() }),
  }),
})

import { SFNClient } from '@aws-sdk/client-sfn'
import { createWorkflowExecutions, executionName } from '@stepwright/idempotency'
import { createStepFunctionsExecutions } from '@stepwright/idempotency/step-functions'
import { startExecution } from '@stepwright/idempotency/tasks'
import { toLambdaHandler } from '@stepwright/task/lambda'

const startImport = startExecution({ name: 'start-import', event: objectCreated, executionName })
export const handler = toLambdaHandler(startImport, {
  ports: () => ({
    workflow: createWorkflowExecutions({
      executions: createStepFunctionsExecutions({ client: () => new SFNClient() }),
      stateMachineArn: process.env['STATE_MACHINE_ARN'] ?? '',
    }),
  }),
})
