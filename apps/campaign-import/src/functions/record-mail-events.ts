import { bindFrom } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { recordMailEvents } from '@stepwright/mail/tasks'
import { recipients, suppressions } from '../bindings.ts'

const recordEvents = bindFrom(recipients, opened => opened.recordEvents)
export const RecordMailEvents = lambda(
  recordMailEvents,
  { suppressions, recordEvents },
  { timeoutSeconds: 50 },
)
