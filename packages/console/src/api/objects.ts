import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { ConsoleProblem } from '../problem.ts'
import type { ObjectPage, ObjectPreview } from '../protocol.ts'
import type { ApiContext, ApiRoutes } from './context.ts'
import { previewParquet } from './preview-parquet.ts'

const previewBytes = 64 * 1024
const previewRows = 200

export const objectRoutes: ApiRoutes = {
  'GET /api/objects': async ({ query }, context): Promise<ObjectPage> => {
    const after = query.get('after')
    const { Contents = [], NextContinuationToken } = await context.s3.send(
      new ListObjectsV2Command({
        Bucket: bucketOf(context, query),
        Prefix: query.get('prefix') ?? '',
        MaxKeys: 500,
        ...(after && { ContinuationToken: after }),
      }),
    )
    return {
      objects: Contents.map(({ Key = '', Size = 0, LastModified }) => ({
        key: Key,
        size: Size,
        modifiedMs: LastModified?.getTime() ?? 0,
      })),
      next: NextContinuationToken,
    }
  },

  'GET /api/object': async ({ query }, context): Promise<ObjectPreview> => {
    const Bucket = bucketOf(context, query)
    const Key = query.get('key') ?? ''
    if (/\.parquet$/i.test(Key)) return previewParquet(context.s3, Bucket, Key)
    const { Body, ContentRange, ContentEncoding } = await context.s3
      .send(new GetObjectCommand({ Bucket, Key, Range: `bytes=0-${previewBytes - 1}` }))
      .catch(error => {
        if ((error as Error).name !== 'InvalidRange') throw error
        return { Body: undefined, ContentRange: undefined, ContentEncoding: undefined } // an empty object
      })
    const bytes = Buffer.from((await Body?.transformToByteArray()) ?? [])
    const size = Number(/\/(\d+)$/.exec(ContentRange ?? '')?.[1] ?? bytes.length)
    const note =
      size > bytes.length
        ? `The first ${bytes.length.toLocaleString('en')} of ${size.toLocaleString('en')} bytes.`
        : ''
    if (bytes.length === 0) return { kind: 'none', note: 'The object is empty.' }
    if (ContentEncoding || bytes.subarray(0, 4096).includes(0)) {
      return { kind: 'none', note: `${size.toLocaleString('en')} bytes that are not text.` }
    }
    const text = new TextDecoder().decode(bytes)
    return /\.(csv|tsv)$/i.test(Key)
      ? previewCsv(text, note)
      : { kind: 'text', text: pretty(Key, text), note }
  },

  /** As an upload by a browser: it fires the triggers of the bucket. */
  'PUT /api/object': async (request, context) => {
    const Key = request.query.get('key') ?? ''
    if (Key === '') throw new ConsoleProblem(400, 'An object must have a key.')
    await context.s3.send(
      new PutObjectCommand({
        Bucket: bucketOf(context, request.query),
        Key,
        Body: request.body.stream,
        ContentLength: request.body.length,
      }),
    )
    return { key: Key }
  },
}

function bucketOf({ running }: ApiContext, query: URLSearchParams): string {
  const bucket = query.get('bucket') ?? ''
  if (Object.values(running.names.buckets).includes(bucket)) return bucket
  throw new ConsoleProblem(404, `There is no bucket ${bucket}.`)
}

function pretty(key: string, text: string): string {
  if (!/\.json$/i.test(key)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** The first rows, as a table. Good enough to look at: what counts is read by `csv-chunker`. */
function previewCsv(text: string, note: string): ObjectPreview {
  const [columns = [], ...rows] = csvRows(text, previewRows + 1)
  return {
    kind: 'rows',
    columns,
    rows,
    note: note || (rows.length === previewRows ? `The first ${previewRows} rows.` : ''),
  }
}

export function csvRows(text: string, maxRows: number): string[][] {
  const delimiter = (text.split('\n', 1)[0] ?? '').includes('\t') ? '\t' : ','
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let isQuoted = false
  for (let index = 0; index < text.length && rows.length < maxRows; index += 1) {
    const character = text[index] as string
    if (isQuoted) {
      if (character !== '"') field += character
      else if (text[index + 1] === '"') {
        field += '"'
        index += 1
      } else isQuoted = false
    } else if (character === '"' && field === '') isQuoted = true
    else if (character === delimiter || character === '\n') {
      row.push(character === '\n' ? field.replace(/\r$/, '') : field)
      field = ''
      if (character === '\n') {
        rows.push(row)
        row = []
      }
    } else field += character
  }
  if (rows.length < maxRows && (field !== '' || row.length > 0)) rows.push([...row, field])
  return rows
}
