import { reference } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { campaigns } from '../bindings.ts'
import { finalizeImport } from '../finalize-import.ts'
import { sending } from '../resources.ts'

const ports = { campaigns, sendArn: reference(sending) }
export const FinalizeImport = lambda(finalizeImport, ports, { timeoutSeconds: 50 })
