import { http } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { campaigns, ofCaller } from '../bindings.ts'
import { resendCampaign } from '../resend-campaign.ts'
import { sending } from '../resources.ts'

const ports = { campaigns, sends: executions(sending, 'start') }
export const ResendCampaign = http(resendCampaign, ports, ofCaller)
