import { lambda } from '@stepwright/app/functions'
import { writer } from '../bindings.ts'
import { deleteExistingRecipients } from '../delete-existing-recipients.ts'

export const DeleteExistingRecipients = lambda(deleteExistingRecipients, { writer }, { timeoutSeconds: 280 })
