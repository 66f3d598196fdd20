import { catchFor, retryFor, type StateMachine } from '@stepwright/asl'
import { TaskFailure } from '@stepwright/asl-engine'
import { runWorkflow, type WorkflowRun } from '@stepwright/asl-engine/testing'
import { createMemoryIdempotencyStore } from '@stepwright/idempotency/memory'
import type { InputOf } from '@stepwright/task'
import { charge, type Ports } from './charge.ts'

export const definition: StateMachine = {
  StartAt: 'Charge',
  TimeoutSeconds: 1800,
  States: {
    Charge: {
      Type: 'Task',
      Resource: 'arn:aws:lambda:us-east-1:000000000000:function:charge',
      TimeoutSeconds: 30,
      Retry: retryFor(charge),
      Catch: catchFor(charge, { '*': 'Refuse' }),
      End: true,
    },
    Refuse: { Type: 'Fail', ErrorPath: '$.error.Error', CausePath: '$.error.Cause' },
  },
}

export const charges: string[] = []
const ports: Ports = {
  idempotency: createMemoryIdempotencyStore(),
  bank: {
    charge: async orderId => {
      charges.push(orderId)
      return `receipt ${charges.length}`
    },
  },
}

/** The function did its work, and died before anybody heard of it. */
let calls = 0
async function chargeAndDie(input: unknown): Promise<unknown> {
  const result = await charge.run(input as InputOf<typeof charge>, ports)
  calls += 1
  if (calls === 1) throw new TaskFailure('Lambda.Unknown', 'the process was killed')
  return result
}

export const run: WorkflowRun = await runWorkflow(definition, {
  tasks: { Charge: chargeAndDie },
  input: { orderId: 'A-1', amount: 4980 },
})
// SUCCEEDED after two attempts, with one charge
