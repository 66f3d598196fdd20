import { http } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { campaigns, ofCaller } from '../bindings.ts'
import { cancelCampaign } from '../cancel-campaign.ts'
import { importing, sending } from '../resources.ts'

const ports = { campaigns, imports: executions(importing, 'stop'), sends: executions(sending, 'stop') }
export const CancelCampaign = http(cancelCampaign, ports, ofCaller)
