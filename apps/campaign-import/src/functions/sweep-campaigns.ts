import { lambda } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { campaigns } from '../bindings.ts'
import { importing, sending } from '../resources.ts'
import { sweepCampaigns } from '../sweep-campaigns.ts'

export const SweepCampaigns = lambda(
  sweepCampaigns,
  {
    campaigns,
    imports: executions(importing, 'start', 'describe'),
    sends: executions(sending, 'start', 'describe'),
  },
  { timeoutSeconds: 280 },
)
