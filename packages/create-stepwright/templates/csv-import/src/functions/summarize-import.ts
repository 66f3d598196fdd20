import { lambda } from '@stepwright/app/functions'
import { chunkLedger } from '@stepwright/batch-writer/bindings'
import { summarizeLedger } from '@stepwright/batch-writer/tasks'
import { postgres } from '@stepwright/postgres/bindings'
import { db } from '../resources.ts'

const ledger = chunkLedger(postgres(db))
export const SummarizeImport = lambda(summarizeLedger(), { ledger }, { timeoutSeconds: 50 })
