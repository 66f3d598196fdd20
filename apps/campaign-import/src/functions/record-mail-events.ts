import { bindFrom } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { recordMailEvents } from '@stepwright/mail/tasks'
import { outbox, suppressions } from '../bindings.ts'
import { createEventRecorder } from '../mailing.ts'

const ports = { suppressions, recordEvents: bindFrom(outbox, createEventRecorder) }
export const RecordMailEvents = lambda(recordMailEvents, ports, { timeoutSeconds: 50 })
