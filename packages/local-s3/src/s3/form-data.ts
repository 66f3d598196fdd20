import { S3Error } from './s3-error.ts'

/** A form as a browser sends it, up to its file, whose content is still to come. */
export interface FileForm {
  /** Names in lower case, as S3 reads them. */
  readonly fields: Readonly<Record<string, string>>
  readonly fileName: string
  readonly file: AsyncIterable<Buffer>
}

const maxHeadBytes = 16 * 1024
const maxFieldsBytes = 20 * 1024

/** Reads the fields of `multipart/form-data`; what follows the file is not part of the form. */
export async function readForm(chunks: AsyncIterator<Buffer>, contentType: string): Promise<FileForm> {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  if (boundary === null) throw malformed()
  const delimiter = Buffer.from(`\r\n--${boundary[1] ?? boundary[2]}`)
  const reader = createReader(chunks)
  const fields: Record<string, string> = {}
  let room = maxFieldsBytes
  await reader.until(delimiter, maxHeadBytes)
  for (;;) {
    const head = (await reader.until(Buffer.from('\r\n\r\n'), maxHeadBytes)).toString()
    if (head.startsWith('--'))
      throw new S3Error('InvalidArgument', 'POST requires exactly one file upload per request.')
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1]?.toLowerCase()
    if (name === undefined) throw malformed()
    if (name === 'file') {
      const fileName = /;\s*filename="([^"]*)"/i.exec(head)?.[1] ?? ''
      return { fields, fileName, file: reader.rest(delimiter) }
    }
    const value = await reader.until(delimiter, room)
    room -= value.length
    fields[name] = value.toString()
  }
}

function createReader(chunks: AsyncIterator<Buffer>) {
  // A boundary stands at the start of a line, the first one too.
  let buffer = Buffer.from('\r\n')

  async function more(): Promise<void> {
    const { value, done } = await chunks.next()
    if (done === true) throw malformed()
    buffer = Buffer.concat([buffer, value])
  }
  return {
    /** What comes before the mark, which is passed. */
    async until(mark: Buffer, maxBytes: number): Promise<Buffer> {
      let at = buffer.indexOf(mark)
      while (at === -1 && buffer.length <= maxBytes + mark.length) {
        await more()
        at = buffer.indexOf(mark)
      }
      if (at === -1 || at > maxBytes) {
        throw new S3Error('MaxMessageLengthExceeded', 'The fields of the form are too long.')
      }
      const before = buffer.subarray(0, at)
      buffer = buffer.subarray(at + mark.length)
      return before
    },
    async *rest(mark: Buffer): AsyncGenerator<Buffer> {
      for (let at = buffer.indexOf(mark); ; at = buffer.indexOf(mark)) {
        // The end of what is there may be the start of the mark.
        const known = at === -1 ? Math.max(0, buffer.length - mark.length) : at
        if (known > 0) yield buffer.subarray(0, known)
        buffer = buffer.subarray(known)
        if (at !== -1) return
        await more()
      }
    },
  }
}

function malformed(): S3Error {
  return new S3Error('MalformedPOSTRequest')
}
