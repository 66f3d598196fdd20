import { ForbiddenError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { type UnsubscribeInput, unsubscribeInput } from './unsubscribe-token.ts'
import type { UnsubscribeTokens } from './unsubscribe-tokens.ts'

export interface AskToUnsubscribePorts {
  readonly tokens: Pick<UnsubscribeTokens, 'open'>
}

/** Behind the GET of the link in a mail: answer with a page that asks, and posts. It changes nothing. */
export const askToUnsubscribe: Task<UnsubscribeInput, object, AskToUnsubscribePorts> =
  /* @__PURE__ */ defineTask({
    name: 'ask-to-unsubscribe',
    description: 'Checks a token of unsubscription, before a page asks: programs follow links, too.',
    idempotent: true,
    needs: { ports: { tokens: 'Opens the tokens that the mails were sent with.' }, permissions: [] },
    input: unsubscribeInput,
    output: z.object({}),
    errors: [ForbiddenError],
    async run({ token }, { tokens }: AskToUnsubscribePorts) {
      if (tokens.open(token) === undefined) throw new ForbiddenError('this is not a token of ours')
      return {}
    },
  })
