import * as z from 'zod/mini'

/** EventBridge's "Object Created" of S3, as far as it is read. */
export interface S3ObjectCreated {
  /** When the object was put, ISO 8601. */
  readonly time: string
  readonly detail: {
    readonly bucket: { readonly name: string }
    readonly object: {
      readonly key: string
      readonly size: number
      readonly etag: string
      /** Greater for later writes of the same key, as a hexadecimal number. */
      readonly sequencer?: string | undefined
      /** With versioning. Step Functions' own S3 client says `versionId`. */
      readonly 'version-id'?: string | undefined
      readonly versionId?: string | undefined
    }
  }
}

const text = /* @__PURE__ */ (() => z.string().check(z.minLength(1)))()

/** The whole event: for a function or a workflow that a rule calls with it. What is not read may be anything. */
export const objectCreatedEvent: z.ZodMiniType<S3ObjectCreated, unknown> = /* @__PURE__ */ (() =>
  z.looseObject({
    time: text,
    detail: z.looseObject({
      bucket: z.looseObject({ name: text }),
      object: z.looseObject({
        key: text,
        size: z.int(),
        etag: text,
        sequencer: z.optional(z.string()),
        'version-id': z.optional(z.string()),
        versionId: z.optional(z.string()),
      }),
    }),
  }))()
