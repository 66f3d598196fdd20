import { createHash } from 'node:crypto'

/** A record that the Kinesis Producer Library packed into another with its like. */
interface PackedRecord {
  readonly partitionKey: string
  readonly data: Buffer
}

interface Field {
  readonly number: number
  readonly value: number | Buffer
}

const magic = Buffer.from([0xf3, 0x89, 0x9a, 0xc2])
const checksumBytes = 16

/**
 * The records in what the Kinesis Producer Library calls an aggregated record: four magic bytes, a message of Protocol
 * Buffers (keys in field 1, records in field 3) and its MD5.
 * @returns undefined for data that is none
 */
export function unpackAggregate(data: Buffer): readonly PackedRecord[] | undefined {
  if (data.length < magic.length + checksumBytes || !data.subarray(0, magic.length).equals(magic))
    return undefined
  const message = data.subarray(magic.length, -checksumBytes)
  if (!createHash('md5').update(message).digest().equals(data.subarray(-checksumBytes))) return undefined
  const fields = readFields(message)
  const keys = fields?.filter(({ number }) => number === 1).map(({ value }) => String(value))
  const records = fields?.filter(({ number }) => number === 3).map(({ value }) => toRecord(value, keys ?? []))
  return records?.every(record => record !== undefined) && records.length > 0 ? records : undefined
}

function toRecord(message: number | Buffer, keys: readonly string[]): PackedRecord | undefined {
  if (typeof message === 'number') return undefined
  const fields = readFields(message)
  const partitionKey = keys[Number(fields?.find(({ number }) => number === 1)?.value ?? 0)]
  const data = fields?.find(({ number }) => number === 3)?.value
  return partitionKey !== undefined && Buffer.isBuffer(data) ? { partitionKey, data } : undefined
}

/** The fields of a message; undefined where it is cut off or has others than numbers and bytes. */
function readFields(message: Buffer): readonly Field[] | undefined {
  const fields: Field[] = []
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at] ?? Number.NaN
      at += 1
      value += (byte & 127) * shift
      if (!(byte >= 128)) return Number.isNaN(byte) ? Number.NaN : value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const number = Math.floor(tag / 8)
    const length = varint()
    if (tag % 8 === 0 && Number.isSafeInteger(length)) fields.push({ number, value: length })
    else if (tag % 8 === 2 && at + length <= message.length) {
      fields.push({ number, value: message.subarray(at, at + length) })
      at += length
    } else return undefined
  }
  return fields
}
