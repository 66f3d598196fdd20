import { createWorkflowExecutions, executionArnOf } from '@stepwright/idempotency'
import { createMemoryExecutions } from '@stepwright/idempotency/memory'
import { testJobWorkflow } from '@stepwright/progress/testing'

const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:generation'

testJobWorkflow('createWorkflowExecutions', async () => {
  const executions = createMemoryExecutions()
  return {
    workflow: createWorkflowExecutions({ executions, stateMachineArn }),
    started: async () => executions.all().map(({ name, input }) => ({ name, input })),
    end: async (name, { status, error }) =>
      executions.end(executionArnOf(stateMachineArn, name), {
        status,
        ...(error !== undefined && { error }),
      }),
  }
})
