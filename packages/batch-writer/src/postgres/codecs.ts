import type { ByteWriter } from './byte-writer.ts'

/**
 * Writes a value in PostgreSQL's binary form behind its length. False, with nothing written, if it has no such
 * form here: the batch is then sent as text, and the server judges it.
 */
export type BinaryCodec = (out: ByteWriter, value: unknown) => boolean

/** The days and microseconds of dates and timestamps count from 2000-01-01. */
const epochMs = 946_684_800_000
const dayMs = 86_400_000
const two32 = 0x1_0000_0000
/** Up to here, microseconds are exact in a double. */
const exactMs = 9_000_000_000_000

function writeInt64(out: ByteWriter, value: number): boolean {
  out.int32(8)
  out.int32(Math.floor(value / two32))
  out.int32(value)
  return true
}

const jsonbVersion = '\u0001'

function toSafeInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  const written = typeof value === 'bigint' ? String(value) : value
  return typeof written === 'string' && /^-?\d{1,15}$/.test(written) ? Number(written) : undefined
}

function integer(bytes: 2 | 4): BinaryCodec {
  const limit = 2 ** (bytes * 8 - 1)
  return (out, value) => {
    const number = toSafeInteger(value)
    if (number === undefined || number < -limit || number >= limit) return false
    out.int32(bytes)
    if (bytes === 4) out.int32(number)
    else out.int16(number)
    return true
  }
}

const int8: BinaryCodec = (out, value) => {
  const number = toSafeInteger(value)
  if (number !== undefined) return writeInt64(out, number)
  if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) return false
  out.int32(8)
  const at = out.reserve(8)
  out.buffer.writeBigInt64BE(value, at)
  return true
}

const float8: BinaryCodec = (out, value) => {
  if (typeof value !== 'number') return false
  out.int32(8)
  const at = out.reserve(8)
  out.buffer.writeDoubleBE(value, at)
  return true
}

const float4: BinaryCodec = (out, value) => {
  if (typeof value !== 'number' || Number.isFinite(value) !== Number.isFinite(Math.fround(value)))
    return false
  out.int32(4)
  const at = out.reserve(4)
  out.buffer.writeFloatBE(value, at)
  return true
}

const bool: BinaryCodec = (out, value) => {
  if (typeof value !== 'boolean') return false
  out.int32(1)
  out.int8(value ? 1 : 0)
  return true
}

const text: BinaryCodec = (out, value) => typeof value === 'string' && out.text(value)

/** The rows of a batch often share one: the key of what they belong to. */
let lastUuid: { readonly value: unknown; readonly bytes: Buffer } | undefined

const uuid: BinaryCodec = (out, value) => {
  if (lastUuid?.value !== value || lastUuid === undefined) {
    if (typeof value !== 'string' || !/^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i.test(value)) return false
    lastUuid = { value, bytes: Buffer.from(value.replaceAll('-', ''), 'hex') }
  }
  out.int32(16)
  out.bytes(lastUuid.bytes)
  return true
}

const timestamp: BinaryCodec = (out, value) => {
  const ms = value instanceof Date ? value.getTime() : Number.NaN
  return Math.abs(ms) < exactMs && writeInt64(out, (ms - epochMs) * 1000)
}

const date: BinaryCodec = (out, value) => {
  const ms = value instanceof Date ? value.getTime() : Number.NaN
  if (!(Math.abs(ms) < exactMs)) return false
  out.int32(4)
  out.int32(Math.floor((ms - epochMs) / dayMs))
  return true
}

const bytea: BinaryCodec = (out, value) => {
  if (!(value instanceof Uint8Array)) return false
  out.int32(value.length)
  out.bytes(value)
  return true
}

const json: BinaryCodec = (out, value) => out.text(toJsonText(value))
const jsonb: BinaryCodec = (out, value) => out.text(jsonbVersion + toJsonText(value))

/** Half a surrogate pair, which cannot be sent: it stands for what cannot be written as text at all. */
export const unwritable = '\ud800'

/** As pg has it: a text is JSON already, everything else becomes JSON. */
export function toJsonText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    const text = JSON.stringify(value) ?? unwritable
    if (text.includes('null')) JSON.stringify(value, refuseLost)
    return text
  } catch {
    return unwritable // a bigint, an object that holds itself, or a number or date that JSON has no form for
  }
}

/** JSON would write null for these, without a word. */
function refuseLost(this: unknown, key: string, value: unknown): unknown {
  const given = (this as Readonly<Record<string, unknown>>)[key]
  const isLost = typeof value === 'number' ? !Number.isFinite(value) : isInvalidDate(given)
  if (isLost) throw new RangeError('JSON has no form for this value')
  return value
}

function isInvalidDate(value: unknown): boolean {
  return value instanceof Date && Number.isNaN(value.getTime())
}

/** By the name of the type in pg_type. An enum's binary form is its label. */
export const binaryCodecs: ReadonlyMap<string, BinaryCodec> = new Map([
  ['int2', integer(2)],
  ['int4', integer(4)],
  ['int8', int8],
  ['float4', float4],
  ['float8', float8],
  ['bool', bool],
  ['text', text],
  ['varchar', text],
  ['bpchar', text],
  ['citext', text],
  ['uuid', uuid],
  ['timestamptz', timestamp],
  ['timestamp', timestamp],
  ['date', date],
  ['bytea', bytea],
  ['json', json],
  ['jsonb', jsonb],
])

export const enumCodec: BinaryCodec = text
