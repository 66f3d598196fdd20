import { lambda } from '@stepwright/app/functions'
import { beginSending } from '../begin-sending.ts'
import { campaigns } from '../bindings.ts'

export const BeginSending = lambda(beginSending, { campaigns }, { timeoutSeconds: 50 })
