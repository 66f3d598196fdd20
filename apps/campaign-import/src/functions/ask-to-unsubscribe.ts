import { http } from '@stepwright/app/functions'
import { askToUnsubscribe } from '@stepwright/mail/tasks'
import { tokens } from '../bindings.ts'
import { askPage } from '../pages.ts'

export const AskToUnsubscribe = http(
  askToUnsubscribe,
  { tokens },
  { body: 'ignored', response: () => askPage },
)
