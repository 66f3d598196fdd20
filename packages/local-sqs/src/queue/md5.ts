import { createHash } from 'node:crypto'
import type { MessageAttributes } from './message.ts'

export function md5OfBody(body: string): string {
  return createHash('md5').update(body).digest('hex')
}

/** As clients compute it to verify what arrived: names in order, each part preceded by its length. */
export function md5OfAttributes(attributes: MessageAttributes): string | undefined {
  const names = Object.keys(attributes).sort()
  if (names.length === 0) return undefined
  const hash = createHash('md5')
  const part = (bytes: Buffer): void => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    hash.update(length).update(bytes)
  }
  for (const name of names) {
    const { DataType = '', StringValue, BinaryValue = '' } = attributes[name] ?? {}
    part(Buffer.from(name))
    part(Buffer.from(DataType))
    const isBinary = DataType.startsWith('Binary')
    hash.update(Buffer.from([isBinary ? 2 : 1]))
    part(isBinary ? Buffer.from(BinaryValue, 'base64') : Buffer.from(StringValue ?? ''))
  }
  return hash.digest('hex')
}
