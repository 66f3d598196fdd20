import { type AppResource, type Binding, bindFrom, reference } from '@stepwright/app/bindings'
import { createWorkflowExecutions, type WorkflowExecutions } from './workflow-executions.ts'

/** The executions of a workflow, with the methods that the rights allow: `executions(importing, 'start')`. */
export function executions<Right extends keyof WorkflowExecutions>(
  workflow: AppResource<'workflow'>,
  ...may: readonly Right[]
): Binding<Pick<WorkflowExecutions, Right>> {
  return bindFrom(reference(workflow, ...may), async stateMachineArn => {
    const [{ SFNClient }, { createStepFunctionsExecutions }] = await Promise.all([
      import('./sfn-client.ts'),
      import('./step-functions-executions.ts'),
    ])
    return createWorkflowExecutions({
      executions: createStepFunctionsExecutions({ client: () => new SFNClient({}) }),
      stateMachineArn,
    })
  })
}
