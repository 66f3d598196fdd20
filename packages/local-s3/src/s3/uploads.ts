import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Checksum, ChecksumAlgorithm, ChecksumType } from './checksum.ts'
import { readJsonFiles, writeJsonFile } from './json-file.ts'
import { createKeyedLock } from './keyed-lock.ts'
import { S3Error } from './s3-error.ts'
import { dropSegments, type Segment } from './segments.ts'

export const maxPartNumber = 10_000

export interface StoredPart {
  readonly number: number
  readonly segment: Segment
  readonly etag: string
  readonly lastModified: number
  readonly checksum?: Checksum
}

/** What a multipart upload in progress was started with. */
export interface UploadFields {
  readonly key: string
  readonly initiated: number
  readonly headers: Readonly<Record<string, string>>
  readonly checksum?: { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType }
}

export interface Upload extends UploadFields {
  readonly id: string
  part(number: number): StoredPart | undefined
  /** In the order of their numbers. */
  parts(): StoredPart[]
}

/** The multipart uploads of a bucket: a directory each, with one JSON file a part. */
export interface Uploads {
  create(fields: UploadFields): Promise<Upload>
  /** Throws NoSuchUpload. */
  get(id: string, key: string): Upload
  all(): Upload[]
  putPart(id: string, key: string, part: StoredPart): Promise<void>
  /**
   * Ends an upload: `use` makes an object of some of its segments and names them; the rest is deleted.
   * If it throws, the upload stays as it was.
   */
  finish(id: string, key: string, use: (upload: Upload) => Promise<readonly Segment[]>): Promise<void>
}

interface Entry {
  readonly upload: Upload
  readonly parts: Map<number, StoredPart>
}

/** Opens the uploads below `directory`, without those whose parts are `used` by objects already. */
export async function openUploads(
  directory: string,
  data: string,
  used: ReadonlySet<string>,
): Promise<Uploads> {
  const entries = new Map<string, Entry>()
  const inTurn = createKeyedLock()
  const homeOf = (id: string): string => join(directory, id)

  function add(id: string, fields: UploadFields, stored: readonly StoredPart[]): Entry {
    const parts = new Map(stored.map(part => [part.number, part]))
    const upload = {
      ...fields,
      id,
      part: (number: number) => parts.get(number),
      parts: () => [...parts.values()].sort((one, other) => one.number - other.number),
    }
    const entry = { upload, parts }
    entries.set(id, entry)
    return entry
  }
  function find(id: string, key: string): Entry {
    const entry = entries.get(id)
    if (entry === undefined || entry.upload.key !== key) {
      throw new S3Error('NoSuchUpload', undefined, { UploadId: id })
    }
    return entry
  }
  for (const id of await readdir(directory)) {
    const stored = await readUpload(homeOf(id))
    // A process that was killed while it began or ended this upload left it half there.
    if (stored === undefined || stored.parts.some(part => used.has(part.segment.file))) {
      await rm(homeOf(id), { recursive: true, force: true })
    } else add(id, stored.fields, stored.parts)
  }
  return {
    async create(fields) {
      const id = randomBytes(24).toString('hex')
      await mkdir(join(homeOf(id), 'parts'), { recursive: true, mode: 0o700 })
      await writeJsonFile(join(homeOf(id), 'upload.json'), fields)
      return add(id, fields, []).upload
    },
    get: (id, key) => find(id, key).upload,
    all: () => [...entries.values()].map(({ upload }) => upload),
    putPart: (id, key, part) =>
      inTurn(id, async () => {
        const { parts } = find(id, key)
        const replaced = parts.get(part.number)
        await writeJsonFile(join(homeOf(id), 'parts', `${part.number}.json`), part)
        parts.set(part.number, part)
        if (replaced !== undefined) await dropSegments(data, [replaced.segment])
      }),
    finish: (id, key, use) =>
      inTurn(id, async () => {
        const { upload } = find(id, key)
        const used = new Set(await use(upload))
        await rm(join(homeOf(id), 'upload.json'), { force: true })
        await rm(homeOf(id), { recursive: true, force: true })
        entries.delete(id)
        const segments = upload.parts().map(part => part.segment)
        await dropSegments(
          data,
          segments.filter(segment => !used.has(segment)),
        )
      }),
  }
}

async function readUpload(home: string): Promise<{ fields: UploadFields; parts: StoredPart[] } | undefined> {
  try {
    const fields = JSON.parse(await readFile(join(home, 'upload.json'), 'utf8')) as UploadFields
    return { fields, parts: await readJsonFiles<StoredPart>(join(home, 'parts')) }
  } catch {
    return undefined
  }
}
