import type { BilledUsage } from '@stepwright/asl-engine'
import type { ExecutionCost } from '../../src/protocol.ts'
import { counted, dollars, duration } from '../format.ts'

/** What AWS would bill, and for what. */
export function Cost({ cost }: { readonly cost: ExecutionCost }) {
  const { own, children } = cost
  const ofChildren = describe(children)
  const parts = [
    describe(own),
    ...(ofChildren ? [`children of Distributed Maps: ${ofChildren}`] : []),
  ].filter(Boolean)
  return (
    <>
      {dollars(cost.dollars)} <span class="muted">{parts.join('; ')}</span>
    </>
  )
}

function describe({ transitions, expressRequests, expressMs }: BilledUsage): string {
  return [
    transitions > 0 && counted(transitions, 'transition'),
    expressRequests > 0 && `${counted(expressRequests, 'Express request')} of ${duration(expressMs)}, 64 MB`,
  ]
    .filter(Boolean)
    .join(', ')
}
