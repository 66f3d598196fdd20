import { lambda } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { campaigns } from '../bindings.ts'
import { importing, sending } from '../resources.ts'
import { sweepCampaigns } from '../sweep-campaigns.ts'

const imports = executions(importing, 'start', 'describe')
const ports = { campaigns, imports, sends: executions(sending, 'start', 'describe') }
export const SweepCampaigns = lambda(sweepCampaigns, ports, { timeoutSeconds: 280 })
