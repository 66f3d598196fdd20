import type { StateMachine } from '@stepwright/asl'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { drawSvg } from './draw.ts'
import { drawMermaid } from './mermaid.ts'
import type { GraphEvent } from './visits.ts'

const junk = fc.constantFrom<unknown>(null, undefined, 1, 'x', true, [], {}, ['A'], { a: 1 })
const name = fc.constantFrom('A', 'B', 'Missing')

/** Something in the shape of a definition, with anything in any place. */
const { machine } = fc.letrec<{ machine: unknown; state: unknown }>(tie => ({
  machine: fc.oneof(
    { depthSize: 'small' },
    junk,
    fc.record({ StartAt: fc.oneof(name, junk), States: fc.dictionary(name, tie('state'), { maxKeys: 3 }) }),
  ),
  state: fc.oneof(
    { depthSize: 'small' },
    junk,
    fc.record(
      {
        Type: fc.oneof(fc.constantFrom('Task', 'Choice', 'Map', 'Parallel', 'Wait', 'Fail', 'Other'), junk),
        Next: fc.oneof(name, junk),
        Default: fc.oneof(name, junk),
        Choices: fc.array(fc.oneof(junk, fc.record({ Next: name, And: junk, Variable: junk }))),
        Catch: fc.array(fc.oneof(junk, fc.record({ Next: name, ErrorEquals: junk }))),
        Retry: fc.array(fc.oneof(junk, fc.record({ MaxAttempts: junk }))),
        Branches: fc.oneof(junk, fc.array(tie('machine'), { maxLength: 2 })),
        ItemProcessor: tie('machine'),
        Resource: junk,
        Arguments: junk,
        Seconds: junk,
        Error: junk,
      },
      { requiredKeys: [] },
    ),
  ),
}))

const event = fc.record({
  id: fc.nat(20),
  previousEventId: fc.nat(20),
  type: fc.constantFrom(
    'TaskStateEntered',
    'TaskStateExited',
    'MapStateEntered',
    'MapStateStarted',
    'MapIterationStarted',
    'MapIterationFailed',
    'MapRunStarted',
    'LambdaFunctionScheduled',
    'LambdaFunctionFailed',
    'ExecutionFailed',
  ),
  someEventDetails: fc.record({ name, index: fc.nat(3), length: fc.nat(3) }),
})

describe('a draft', () => {
  it('is drawn, whatever is in it, with any history', () => {
    fc.assert(
      fc.property(machine, fc.array(event), (definition, history) => {
        if (typeof definition !== 'object' || definition === null) return
        drawSvg(definition as StateMachine, { history: history as readonly GraphEvent[] })
        drawMermaid(definition as StateMachine, history as readonly GraphEvent[])
      }),
    )
  })
})
