import { lambda } from '@stepwright/app/functions'
import { purgeLedger } from '@stepwright/batch-writer/tasks'
import { ledger } from '../bindings.ts'

export const PurgeLedger = lambda(purgeLedger(), { ledger }, { timeoutSeconds: 280 })
