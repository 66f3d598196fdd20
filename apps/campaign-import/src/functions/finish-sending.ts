import { lambda } from '@stepwright/app/functions'
import { campaigns } from '../bindings.ts'
import { finishSending } from '../finish-sending.ts'

export const FinishSending = lambda(finishSending, { campaigns }, { timeoutSeconds: 50 })
