import { lambda } from '@stepwright/app/functions'
import { objects, storeOf } from '@stepwright/object-store/bindings'
import { files } from '../resources.ts'
import { splitRecipients } from '../split-recipients.ts'

const store = objects(files, 'read uploads/*', 'read chunks/*', 'write chunks/*')
export const SplitCSV = lambda(splitRecipients, { storeOf: storeOf(store) }, { timeoutSeconds: 280 })
