import { lambda } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { processing } from '../resources.ts'
import { startProcessing } from '../start-processing.ts'

export const StartProcessing = lambda(startProcessing, { workflow: executions(processing, 'start') })
