import { http } from '@stepwright/app/functions'
import { campaigns, ofCaller } from '../bindings.ts'
import { listCampaigns } from '../list-campaigns.ts'

export const ListCampaigns = http(listCampaigns, { campaigns }, ofCaller)
