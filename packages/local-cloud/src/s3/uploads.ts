import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Checksum, ChecksumAlgorithm, ChecksumType } from './checksum.ts'
import { writeJsonFile } from './json-file.ts'
import { createKeyedLock } from './keyed-lock.ts'
import { S3Error } from './s3-error.ts'
import { dropSegments, type Segment } from './segments.ts'

export interface StoredPart {
  readonly segment: Segment
  readonly etag: string
  readonly lastModified: number
  readonly checksum?: Checksum
}

/** A multipart upload in progress. */
export interface Upload {
  readonly id: string
  readonly key: string
  readonly initiated: number
  readonly headers: Readonly<Record<string, string>>
  readonly checksum?: { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType }
  /** By part number. */
  readonly parts: Readonly<Record<number, StoredPart>>
}

export interface Uploads {
  create(upload: Omit<Upload, 'id' | 'parts'>): Promise<Upload>
  /** Throws NoSuchUpload. */
  get(id: string, key: string): Upload
  all(): Upload[]
  putPart(id: string, key: string, number: number, part: StoredPart): Promise<void>
  /**
   * Ends an upload: `use` makes an object of some of its segments and names them; the rest is deleted.
   * If it throws, the upload stays as it was.
   */
  finish(id: string, key: string, use: (upload: Upload) => Promise<readonly Segment[]>): Promise<void>
}

export function createUploads(directory: string, data: string, pending: readonly Upload[]): Uploads {
  const uploads = new Map(pending.map(upload => [upload.id, upload]))
  const inTurn = createKeyedLock()
  const recordOf = (id: string): string => join(directory, `${id}.json`)

  function get(id: string, key: string): Upload {
    const upload = uploads.get(id)
    if (upload === undefined || upload.key !== key) {
      throw new S3Error('NoSuchUpload', undefined, { UploadId: id })
    }
    return upload
  }
  async function save(upload: Upload): Promise<void> {
    await writeJsonFile(recordOf(upload.id), upload)
    uploads.set(upload.id, upload)
  }
  return {
    async create(fields) {
      const upload = { ...fields, id: randomBytes(24).toString('base64url'), parts: {} }
      await save(upload)
      return upload
    },
    get,
    all: () => [...uploads.values()],
    putPart: (id, key, number, part) =>
      inTurn(id, async () => {
        const upload = get(id, key)
        const replaced = upload.parts[number]
        await save({ ...upload, parts: { ...upload.parts, [number]: part } })
        if (replaced !== undefined) await dropSegments(data, [replaced.segment])
      }),
    finish: (id, key, use) =>
      inTurn(id, async () => {
        const upload = get(id, key)
        const used = new Set(await use(upload))
        await rm(recordOf(id), { force: true })
        uploads.delete(id)
        const rest = Object.values(upload.parts).map(part => part.segment)
        await dropSegments(
          data,
          rest.filter(segment => !used.has(segment)),
        )
      }),
  }
}
