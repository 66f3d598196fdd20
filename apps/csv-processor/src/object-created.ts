import * as z from 'zod/mini'

/** What an execution is started with: EventBridge's "Object Created". */
export const objectCreated = /* @__PURE__ */ z.looseObject({
  detail: z.looseObject({
    bucket: z.looseObject({ name: z.string() }),
    object: z.looseObject({ key: z.string(), size: z.int(), etag: z.string() }),
  }),
})
