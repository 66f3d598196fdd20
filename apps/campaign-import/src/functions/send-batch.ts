import { api, reference } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { sesMailer } from '@stepwright/mail/bindings'
import { campaigns, maxSendRate, outbox, tokens } from '../bindings.ts'
import { mails } from '../resources.ts'
import { sendBatch } from '../send-batch.ts'

const [mailer, publicUrl] = [sesMailer(mails), reference(api())]
const ports = { campaigns, outbox, mailer, tokens, publicUrl, maxSendRate }
export const SendBatch = lambda(sendBatch, ports, { timeoutSeconds: 280 })
