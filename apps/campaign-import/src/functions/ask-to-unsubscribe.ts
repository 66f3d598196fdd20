import { http } from '@stepwright/app/functions'
import { askToUnsubscribe } from '@stepwright/mail/tasks'
import { tokens } from '../bindings.ts'
import { askPage } from '../pages.ts'

const options = { body: 'ignored', response: () => askPage } as const
export const AskToUnsubscribe = http(askToUnsubscribe, { tokens }, options)
