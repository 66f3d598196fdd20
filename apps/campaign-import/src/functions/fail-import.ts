import { lambda } from '@stepwright/app/functions'
import { campaigns } from '../bindings.ts'
import { failImport } from '../fail-import.ts'

export const FailImport = lambda(failImport, { campaigns }, { timeoutSeconds: 50 })
