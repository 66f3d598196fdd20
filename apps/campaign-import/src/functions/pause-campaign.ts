import { http } from '@stepwright/app/functions'
import { campaigns, ofCaller } from '../bindings.ts'
import { pauseCampaign } from '../pause-campaign.ts'

export const PauseCampaign = http(pauseCampaign, { campaigns }, ofCaller)
