import { lambda } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { sending } from '../resources.ts'
import { startSending } from '../start-sending.ts'

const workflow = executions(sending, 'start')
export const StartSending = lambda(startSending, { workflow }, { timeoutSeconds: 50 })
