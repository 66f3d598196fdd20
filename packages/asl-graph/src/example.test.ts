import { drawMermaid, drawSvg } from '@stepwright/asl-graph'
import { expect, it } from 'vitest'

it('draws a machine with an execution laid over it', () => {
  const definition = { StartAt: 'Import', States: { Import: { Type: 'Pass', End: true } } } as const
  const history = [{ id: 2, type: 'PassStateEntered', stateEnteredEventDetails: { name: 'Import' } }]
  expect(drawSvg(definition, { history })).toContain('is-running')
  expect(drawMermaid(definition)).toContain('flowchart TD')
})
