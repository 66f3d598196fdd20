import { bindFrom, setting } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import type { WorkflowExecutions } from '@stepwright/idempotency'
import { executions } from '@stepwright/idempotency/bindings'
import { transform } from '../resources.ts'
import { startTransform } from '../start-transform.ts'
import { environmentSchema } from '../transform-input.ts'

/** The event does not know the environment. */
const workflow = bindFrom(
  {
    executions: executions(transform, 'start'),
    environment: setting('ENVIRONMENT', environmentSchema, { value: 'dev' }),
  },
  ({ executions: of, environment }): Pick<WorkflowExecutions, 'start'> => ({
    start: (request, options) =>
      of.start({ ...request, input: { environment, ...Object(request.input) } }, options),
  }),
)

export const StartTransform = lambda(startTransform, { workflow })
