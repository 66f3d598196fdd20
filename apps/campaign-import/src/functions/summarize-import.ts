import { lambda } from '@stepwright/app/functions'
import { ledger } from '../bindings.ts'
import { summarizeImport } from '../summarize-import.ts'

export const SummarizeImport = lambda(summarizeImport, { ledger }, { timeoutSeconds: 50 })
