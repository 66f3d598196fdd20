import * as z from 'zod/mini'

export interface UnsubscribeInput {
  readonly token: string
}

export const unsubscribeInput: z.ZodMiniType<UnsubscribeInput, UnsubscribeInput> = /* @__PURE__ */ (() =>
  z.object({ token: z.string().check(z.minLength(1), z.maxLength(2000)) }))()
