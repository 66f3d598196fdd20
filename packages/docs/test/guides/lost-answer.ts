import { catchFor, retryFor, type StateMachine } from '@stepwright/asl'
import { bind, runWorkflow, type WorkflowRun } from '@stepwright/asl-engine/testing'
import { createMemoryIdempotencyStore } from '@stepwright/idempotency/memory'
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

export const run: WorkflowRun = await runWorkflow(definition, {
  tasks: { Charge: bind(charge, ports) },
  input: { orderId: 'A-1', amount: 4980 },
  // The function did its work, and died before anybody heard of it.
  inject: [{ state: 'Charge', attempts: [1], when: 'after', error: 'Lambda.Unknown' }],
})
// SUCCEEDED after two attempts, with one charge
