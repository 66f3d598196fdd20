import { describeTask } from '@stepwright/task'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod/mini'
import { createMemoryExecutions } from './memory-executions.ts'
import { idempotencyTaskErrors } from './task-errors.ts'
import { startExecution } from './tasks.ts'
import { createWorkflowExecutions } from './workflow-executions.ts'

const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:import'

describe('startExecution', () => {
  it('starts once by name, and says so the second time', async () => {
    const executions = createMemoryExecutions()
    const ports = { workflow: createWorkflowExecutions({ executions, stateMachineArn }) }
    const task = startExecution()
    const executionArn = 'arn:aws:states:us-east-1:000000000000:execution:import:order-7'
    const first = await task.run({ name: 'order-7', input: { order: 7 } }, ports)
    expect(first).toEqual({ executionArn, executionId: 'order-7', started: true })
    executions.end(executionArn, { status: 'SUCCEEDED', output: 1 })
    expect(await task.run({ name: 'order-7', input: { order: 7 } }, ports)).toEqual({
      ...first,
      started: false,
    })
    expect(executions.all()).toMatchObject([{ name: 'order-7', input: { order: 7 }, status: 'SUCCEEDED' }])
  })

  it('takes name and input from an event', async () => {
    const executions = createMemoryExecutions()
    const task = startExecution({
      name: 'start-import',
      event: z.object({ id: z.int(), secret: z.string() }),
      executionName: event => `import-${event.id}`,
      executionInput: ({ id }) => ({ id }),
    })
    expectTypeOf(task.run).parameter(0).toEqualTypeOf<{ id: number; secret: string }>()
    const ports = { workflow: createWorkflowExecutions({ executions, stateMachineArn }) }
    await task.run({ id: 7, secret: 'x' }, ports)
    expect(executions.all()).toMatchObject([{ name: 'import-7', input: { id: 7 } }])
  })

  it('tells its contract without ports', () => {
    const { name, needs, errors } = describeTask(startExecution())
    expect([name, needs?.permissions]).toEqual([
      'start-execution',
      [{ actions: ['states:StartExecution'], on: 'the state machine' }],
    ])
    expect(errors.map(error => error.name)).toEqual(
      expect.arrayContaining(idempotencyTaskErrors.map(({ errorName }) => errorName)),
    )
  })
})
