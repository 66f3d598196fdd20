import { DatabaseConnectionError, ForbiddenError, TemporaryError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { parseEmailAddress } from './email-address.ts'
import type { Suppressions } from './suppressions.ts'
import { type UnsubscribeInput, unsubscribeInput } from './unsubscribe-token.ts'
import type { UnsubscribeTokens } from './unsubscribe-tokens.ts'

export interface UnsubscribePorts {
  readonly suppressions: Pick<Suppressions, 'add'>
  readonly tokens: Pick<UnsubscribeTokens, 'open'>
}

/** Behind the POST of `List-Unsubscribe`: whoever has the token gets no more mail. Again it changes nothing. */
export const unsubscribe: Task<UnsubscribeInput, object, UnsubscribePorts> = /* @__PURE__ */ defineTask({
  name: 'unsubscribe',
  description: 'Suppresses the address that a token of one-click unsubscription was made for.',
  idempotent: true,
  needs: {
    ports: {
      suppressions: 'The addresses that nothing more is sent to.',
      tokens: 'Opens the tokens that the mails were sent with.',
    },
    permissions: [{ actions: ['rds-db:connect'], on: 'the database user, where it signs in by IAM' }],
  },
  input: unsubscribeInput,
  output: z.object({}),
  errors: [ForbiddenError, DatabaseConnectionError, TemporaryError],
  async run({ token }, { suppressions, tokens }: UnsubscribePorts) {
    const claim = tokens.open(token)
    if (claim === undefined) throw new ForbiddenError('this is not a token of ours')
    // Sealed as it was sent to; suppressions are found only as they are stored.
    const address = parseEmailAddress(claim.address) ?? claim.address
    await suppressions.add([{ ...claim, address, reason: 'unsubscribed' }])
    return {}
  },
})
