import { http } from '@stepwright/app/functions'
import { objects } from '@stepwright/object-store/bindings'
import { campaigns, ledger, ofCaller } from '../bindings.ts'
import { files } from '../resources.ts'
import { showCampaign } from '../show-campaign.ts'

const ports = { campaigns, ledger, store: objects(files, 'read chunks/*') }
export const ShowCampaign = http(showCampaign, ports, ofCaller)
