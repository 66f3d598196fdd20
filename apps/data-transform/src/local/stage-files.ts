import { closeSync, openSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ConflictError, isTaskError, NotFoundError } from '@stepwright/errors'
import type { ObjectStore } from '@stepwright/object-store'
import type { JobSpec } from '../job.ts'
import { parseJson } from '../parse-json.ts'
import { JobFailure } from './job-failure.ts'

/** A raw file on this machine's disk, unpacked. */
export interface StagedFile {
  readonly key: string
  readonly path: string
  /** Of JSON: one value a line, one array, or values with line breaks in them. */
  readonly form: JsonForm | undefined
}

export type JsonForm = 'newline_delimited' | 'array' | 'unstructured'

type Bytes = AsyncIterable<Uint8Array>

const peekBytes = 65_536
/** How many times larger than its compressed form a file may be, past the first bytes: more is an attack on the disk. */
const maxCompressionRatio = 500
const ratioGraceBytes = 16 * 1024 * 1024

/**
 * Brings the raw files of a job onto this machine, each exactly as Preflight saw it. Files without content, such as a
 * compressed nothing, are left out.
 * @throws JobFailure where one was replaced or deleted since
 */
export async function stageFiles(
  raw: Pick<ObjectStore, 'get'>,
  { sources, fileType }: JobSpec,
  directory: string,
  signal: AbortSignal,
): Promise<readonly StagedFile[]> {
  const staged: StagedFile[] = []
  for (const [index, { key, etag }] of sources.entries()) {
    const path = join(directory, `${index}.${fileType}`)
    const { body } = await raw.get(key, { ifMatch: etag, signal }).catch(error => {
      if (!isTaskError(error, ConflictError) && !isTaskError(error, NotFoundError)) throw error
      throw new JobFailure('a raw file was replaced while the job began; start it again')
    })
    await unpack(body, path, fileType === 'parquet', signal)
    const head = await peek(path)
    if (fileType !== 'parquet' && isBlank(head)) continue
    staged.push({ key, path, form: fileType === 'json' ? formOf(head) : undefined })
  }
  return staged
}

async function unpack(body: Bytes, path: string, asItIs: boolean, signal: AbortSignal): Promise<void> {
  const source = body[Symbol.asyncIterator]()
  const head = await readHead(source)
  // By its content: files are often called otherwise.
  const isCompressed = !asItIs && head[0] === 0x1f && head[1] === 0x8b
  if (!isCompressed) return write(path, head, source)
  const unpacked = (bytes: Bytes) => write(path, new Uint8Array(), bytes[Symbol.asyncIterator]())
  const gunzip = createGunzip()
  const limited = (bytes: Bytes) => limitExpansion(bytes, () => gunzip.bytesWritten)
  await pipeline(resume(head, source), gunzip, limited, unpacked, { signal }).catch(refuseDamaged)
}

async function* limitExpansion(bytes: Bytes, bytesIn: () => number): AsyncGenerator<Uint8Array> {
  let bytesOut = 0
  for await (const chunk of bytes) {
    bytesOut += chunk.length
    if (bytesOut > ratioGraceBytes && bytesOut > bytesIn() * maxCompressionRatio) {
      throw new JobFailure(`a compressed raw file is over ${maxCompressionRatio} times larger unpacked`)
    }
    yield chunk
  }
}

function refuseDamaged(error: unknown): never {
  if (String((error as { code?: unknown }).code).startsWith('Z_')) {
    throw new JobFailure('a compressed raw file is damaged')
  }
  throw error
}

/** At least two bytes, if there are so many: what is compressed begins with them. */
async function readHead(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array()
  while (head.length < 2) {
    const { done, value } = await source.next()
    if (done) break
    head = head.length === 0 ? value : Buffer.concat([head, value])
  }
  return head
}

async function* resume(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head
  yield* { [Symbol.asyncIterator]: () => rest }
}

/** Without leaving the thread, which would cost more than to write: nothing else goes on in a job's process. */
async function write(path: string, head: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<void> {
  const file = openSync(path, 'w')
  try {
    for (let chunk = head; ; ) {
      for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at)
      const { done, value } = await rest.next()
      if (done) return
      chunk = value
    }
  } finally {
    closeSync(file)
  }
}

async function peek(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(peekBytes), 0, peekBytes, 0)
  return buffer.subarray(0, bytesRead)
}

function isBlank(head: Buffer): boolean {
  return head.length < peekBytes && head.toString('utf8').trim() === ''
}

function formOf(head: Buffer): JsonForm {
  const text = head.toString('utf8').trimStart() // a byte order mark is white space too
  if (text.startsWith('[')) return 'array'
  const [line = ''] = text.split('\n', 1)
  // A first line longer than what was looked at is a whole value: nobody indents so much.
  if (line.length === text.length && head.length === peekBytes) return 'newline_delimited'
  return parseJson(line) !== undefined ? 'newline_delimited' : 'unstructured'
}
