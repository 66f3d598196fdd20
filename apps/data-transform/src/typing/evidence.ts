import * as z from 'zod/mini'
import { type ColumnType, digitsOf, isList, isStruct, sameName } from './column-type.ts'

/** What a value can be, each a bit: the kinds that a column has seen are their sum. */
export const kinds = {
  integer: 1,
  longInteger: 2,
  fraction: 4,
  exponent: 8,
  boolean: 16,
  date: 32,
  localTime: 64,
  zonedTime: 128,
  text: 256,
  object: 512,
  list: 1024,
} as const
export type Kind = keyof typeof kinds

/** What all values of a column together have shown: merging it does not depend on the order of days. */
export interface Evidence {
  /** Bits of `kinds`; none while every value was null. */
  readonly kinds: number
  /** The most digits before the point, after it, and of a whole number without its leading zeros. */
  readonly whole: number
  readonly fraction: number
  readonly digits: number
  readonly fields?: readonly { readonly name: string; readonly evidence: Evidence }[] | undefined
  readonly items?: Evidence | undefined
  /** The type of values that nobody has measured: of tables that are older than this evidence. */
  readonly assumed?: string | undefined
}

const { integer, longInteger, fraction, exponent, boolean, date, localTime, zonedTime, object, list } = kinds
const numbers = integer | longInteger | fraction | exponent
const alone: Readonly<Record<number, string>> = {
  [integer]: 'bigint',
  [boolean]: 'boolean',
  [date]: 'date',
  [localTime]: 'timestamp_ntz',
  [zonedTime]: 'timestamp',
}

const count = z.int().check(z.nonnegative())

export const evidenceSchema: z.ZodMiniType<Evidence, unknown> = z.object({
  kinds: count,
  whole: count,
  fraction: count,
  digits: count,
  get fields() {
    return z.optional(z.array(z.object({ name: z.string(), evidence: evidenceSchema })))
  },
  get items() {
    return z.optional(evidenceSchema)
  },
  assumed: z.optional(z.string()),
}) as unknown as z.ZodMiniType<Evidence, unknown>

const noEvidence: Evidence = { kinds: 0, whole: 0, fraction: 0, digits: 0 }

/** For a type that was found without its values. */
export function assumeType(type: ColumnType): Evidence {
  if (isList(type)) return { ...noEvidence, kinds: list, items: assumeType(type.items) }
  if (!isStruct(type)) return { ...noEvidence, assumed: type }
  const fields = type.fields.map(field => ({ name: field.name, evidence: assumeType(field.type) }))
  return { ...noEvidence, kinds: object, fields }
}

export function mergeEvidence(one: Evidence, other: Evidence): Evidence {
  const fields = mergeFields(one.fields, other.fields)
  const items = one.items && other.items ? mergeEvidence(one.items, other.items) : (one.items ?? other.items)
  const assumed =
    one.assumed !== undefined && other.assumed !== undefined
      ? widen(one.assumed, other.assumed)
      : (one.assumed ?? other.assumed)
  return {
    kinds: one.kinds | other.kinds,
    whole: Math.max(one.whole, other.whole),
    fraction: Math.max(one.fraction, other.fraction),
    digits: Math.max(one.digits, other.digits),
    ...(fields && { fields }),
    ...(items && { items }),
    ...(assumed !== undefined && { assumed }),
  }
}

function mergeFields(one: Evidence['fields'], other: Evidence['fields']): Evidence['fields'] {
  if (one === undefined || other === undefined) return one ?? other
  const merged = new Map(one.map(field => [sameName(field.name), field]))
  for (const { name, evidence } of other) {
    const known = merged.get(sameName(name))
    merged.set(sameName(name), {
      name: known?.name ?? name,
      evidence: known ? mergeEvidence(known.evidence, evidence) : evidence,
    })
  }
  return [...merged.values()]
}

/** The narrowest type that loses nothing of what was seen; undefined while there were only nulls. */
export function typeOf(evidence: Evidence): ColumnType | undefined {
  const { assumed } = evidence
  if (assumed === undefined || evidence.kinds === 0) return assumed ?? typeOfSeen(evidence)
  const known = digitsOf(assumed)
  if ((evidence.kinds & ~numbers) !== 0) {
    const seen = typeOfSeen(evidence)
    return typeof seen === 'string' ? widen(assumed, seen) : 'string'
  }
  if (known) {
    const [whole, scale] = [
      Math.max(known.whole, evidence.whole),
      Math.max(known.fraction, evidence.fraction),
    ]
    return (evidence.kinds & exponent) === 0 ? exactType(whole, scale) : 'string'
  }
  return isDouble(assumed) && fitsDouble(evidence) ? 'double' : 'string'
}

/** A double has 15 digits for sure; smaller fractions than this lose some of them. */
const maxDoubleDigits = 15
const maxDoubleFraction = 200

function typeOfSeen(evidence: Evidence): ColumnType | undefined {
  const { kinds: seen } = evidence
  if (seen === 0) return undefined
  const only = alone[seen]
  if (only !== undefined) return only
  if (seen === object) return structOf(evidence)
  if (seen === list) return { items: (evidence.items && typeOf(evidence.items)) ?? 'string' }
  return (seen & ~numbers) === 0 ? numberType(evidence) : 'string'
}

function numberType(evidence: Evidence): string {
  const { kinds: seen, whole, fraction: scale } = evidence
  if ((seen & (fraction | exponent)) !== 0 && fitsDouble(evidence)) return 'double'
  return (seen & exponent) === 0 ? decimalType(whole, scale) : 'string'
}

function fitsDouble({ digits, fraction: scale }: Evidence): boolean {
  return digits <= maxDoubleDigits && scale <= maxDoubleFraction
}

function isDouble(type: string): boolean {
  return type === 'double' || type === 'float'
}

function exactType(whole: number, scale: number): string {
  return scale === 0 && whole <= 19 ? 'bigint' : decimalType(whole, scale)
}

function decimalType(whole: number, scale: number): string {
  if (whole + scale > 38) return 'string'
  return scale > 0 && whole + scale <= 18 ? `decimal(18,${scale})` : `decimal(38,${scale})`
}

/** Objects without any value have no fields that a file could hold: their text is kept. */
function structOf({ fields = [] }: Evidence): ColumnType {
  const typed = fields.flatMap(({ name, evidence }) => {
    const type = typeOf(evidence)
    return type === undefined ? [] : [{ name, type }]
  })
  return typed.length === 0 ? 'string' : { fields: typed }
}

/** The narrowest scalar that both can be changed into without loss. */
function widen(one: string, other: string): string {
  if (one === other) return one
  const [a, b] = [digitsOf(one), digitsOf(other)]
  return a && b ? exactType(Math.max(a.whole, b.whole), Math.max(a.fraction, b.fraction)) : 'string'
}
