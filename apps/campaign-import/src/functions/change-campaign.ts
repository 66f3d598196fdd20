import { http } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { objects } from '@stepwright/object-store/bindings'
import { campaigns, ofCaller, senders } from '../bindings.ts'
import { changeCampaign } from '../change-campaign.ts'
import { files, importing, sending } from '../resources.ts'

const [imports, sends] = [executions(importing, 'start', 'stop'), executions(sending, 'start', 'stop')]
const ports = { campaigns, senders, store: objects(files, 'read uploads/*'), imports, sends }
export const ChangeCampaign = http(changeCampaign, ports, ofCaller)
