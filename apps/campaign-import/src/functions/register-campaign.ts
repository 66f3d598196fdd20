import { http } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { objects } from '@stepwright/object-store/bindings'
import { campaigns, ofCaller, senders } from '../bindings.ts'
import { registerCampaign } from '../register-campaign.ts'
import { files, importing } from '../resources.ts'

const [store, imports] = [objects(files, 'read uploads/*'), executions(importing, 'start')]
const ports = { campaigns, senders, store, imports }
export const RegisterCampaign = http(registerCampaign, ports, { ...ofCaller, successStatus: 202 })
