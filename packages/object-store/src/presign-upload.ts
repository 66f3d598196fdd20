import { randomUUID } from 'node:crypto'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { TaskErrorClass } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import type { ObjectStore } from './object-store.ts'
import { storeErrors } from './task-errors.ts'

export interface PresignUploadOptions<Output extends StandardSchemaV1> {
  /** The largest body that may be uploaded, in bytes: at most 5 GiB, which is what S3 takes in one PUT. */
  readonly maxBytes: number
  readonly contentType: string
  /** How the keys begin; the owner and a UUID follow. @default 'uploads/' */
  readonly prefix?: string
  /** Whether keys tell their owner. If not, the port `remember` must keep whose they are. @default true */
  readonly ownerInKey?: boolean
  /** How the keys end, e.g. `.csv`. @default '' */
  readonly suffix?: string
  /** For the port `storeOf`. @default undefined: its own */
  readonly bucket?: string
  /** From 1 to 604,800. @default 900: 15 minutes */
  readonly expiresInSeconds?: number
  /** What the task answers, and how that is made. @default all of `PresignUploadOutput` */
  readonly output?: Output
  readonly report?: (upload: PresignUploadOutput) => StandardSchemaV1.InferInput<Output>
  /** What `remember` may fail with. @default nothing */
  readonly errors?: readonly TaskErrorClass[]
  /** @default 'presign-upload' */
  readonly name?: string
}

export interface PresignUploadInput {
  /** Whose upload it is, as the authorizer says: never a field that the caller sends. */
  readonly ownerId: string
  /** Exactly how many bytes will be sent. A text of digits is taken, too: a query has nothing else. */
  readonly contentLength: number | string
}

export interface PresignUploadOutput {
  readonly key: string
  readonly url: string
  readonly method: 'PUT'
  /** Must be sent as they are. */
  readonly headers: Readonly<Record<string, string>>
  readonly expiresAt: string
}

export interface PresignUploadPorts {
  readonly storeOf: (bucket: string | undefined) => Pick<ObjectStore, 'presignPut'>
  /** @default randomUUID */
  readonly uuid?: () => string
  /** Keeps whose upload it is, before anybody can use it. @default nobody does */
  readonly remember?: (key: string, ownerId: string) => Promise<void>
}

const maxPutBytes = 5 * 1024 ** 3
const maxExpirySeconds = 604_800

const presignUploadOutput = z.object({
  key: z.string(),
  url: z.string(),
  method: z.literal('PUT'),
  headers: z.record(z.string(), z.string()),
  expiresAt: z.iso.datetime(),
})

type PresignUploadTask<Output extends StandardSchemaV1> = Task<
  PresignUploadInput,
  StandardSchemaV1.InferOutput<Output>,
  PresignUploadPorts
>

/** Gives the caller a place of its own for one object of a size that it must say, up to a limit. */
export function presignUpload<Output extends StandardSchemaV1>(
  options: PresignUploadOptions<Output> & { readonly output: Output },
): PresignUploadTask<Output>
export function presignUpload(
  options: Omit<PresignUploadOptions<StandardSchemaV1<PresignUploadOutput>>, 'output' | 'report'>,
): PresignUploadTask<StandardSchemaV1<PresignUploadOutput>>
export function presignUpload({
  maxBytes,
  contentType,
  prefix = 'uploads/',
  ownerInKey = true,
  suffix = '',
  bucket,
  expiresInSeconds = 900,
  output = presignUploadOutput,
  report = upload => upload,
  errors = [],
  name = 'presign-upload',
}: PresignUploadOptions<StandardSchemaV1>): PresignUploadTask<StandardSchemaV1> {
  refuseUnlessWhole('maxBytes', maxBytes, maxPutBytes)
  refuseUnlessWhole('expiresInSeconds', expiresInSeconds, maxExpirySeconds)
  const size = `must be a whole number from 1 to ${maxBytes}`
  return defineTask({
    name,
    description: 'Presigns the upload of one object of a given size, under a new key of its owner.',
    idempotent: true,
    needs: {
      ports: {
        storeOf: 'the object store of a bucket',
        uuid: 'makes a UUID; by default a random one',
        remember: 'keeps whose upload it is; needed where the keys do not tell',
      },
      permissions: [{ actions: ['s3:PutObject'], on: 'the objects below the prefix of the uploads' }],
    },
    input: z.object({
      ownerId: z.string().check(z.minLength(1), z.maxLength(256)),
      contentLength: z.coerce.number(size).check(z.int(size), z.minimum(1, size), z.maximum(maxBytes, size)),
    }) as unknown as z.ZodMiniType<{ ownerId: string; contentLength: number }, PresignUploadInput>,
    output,
    errors: [...storeErrors, ...errors],
    async run({ ownerId, contentLength }, { storeOf, uuid = randomUUID, remember }: PresignUploadPorts) {
      if (!ownerInKey && !remember)
        throw new TypeError('the port remember is needed where keys tell no owner')
      const key = `${ownerInKey ? toUploadPrefix(ownerId, prefix) : prefix}${uuid()}${suffix}`
      const limits = { contentType, contentLength, expiresInSeconds }
      await remember?.(key, ownerId)
      const { url, headers, expiresAt } = await storeOf(bucket).presignPut(key, limits)
      return report({ key, url, method: 'PUT' as const, headers, expiresAt: expiresAt.toISOString() })
    },
  })
}

/** How all keys of an owner's uploads begin, and nobody else's: `key.startsWith(toUploadPrefix(ownerId))`. */
export function toUploadPrefix(ownerId: string, prefix = 'uploads/'): string {
  // A slash would reach into another owner's keys; paths of dots are resolved by some clients.
  const encoded = Array.from(ownerId, encodeCharacter).join('')
  return `${prefix}${encoded.replace(/^\.+$/, dots => '%2E'.repeat(dots.length))}/`
}

/** Half a surrogate pair, which no URL can have, is told from the other half. */
function encodeCharacter(character: string): string {
  if (character.isWellFormed()) return encodeURIComponent(character)
  return `%u${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function refuseUnlessWhole(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return
  throw new TypeError(`${name} must be a whole number from 1 to ${max}`)
}
