import { http } from '@stepwright/app/functions'
import { unsubscribe } from '@stepwright/mail/tasks'
import { suppressions, tokens } from '../bindings.ts'
import { donePage } from '../pages.ts'

const options = { body: 'ignored', response: () => donePage } as const
export const Unsubscribe = http(unsubscribe, { suppressions, tokens }, options)
