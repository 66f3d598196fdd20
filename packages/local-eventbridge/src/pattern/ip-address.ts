import { isIPv6 } from 'node:net'
import { InvalidPatternError } from './invalid-pattern-error.ts'

export interface IpAddress {
  /** 32 or 128 digits, zeros and ones. */
  readonly bits: string
}

const maxInteger = 2 ** 31 - 1
const looksLikeAddress = /^\d+\.\d+\.\d+\.\d+$|^[\da-f]*:[\da-f:]*$/i

/** `10.0.0.0/24`: whether a value is an address in it. @throws InvalidPatternError */
export function parseBlock(block: string): (value: unknown) => boolean {
  const [network = '', mask = '', ...others] = block.replace(/(?<!\/)\/+$/, '').split('/')
  if (mask === '' || others.length > 0) throw new InvalidPatternError("Malformed CIDR, one '/' required")
  if (!/^[+-]?\d+$/.test(mask) || Math.abs(Number(mask)) > maxInteger)
    throw new InvalidPatternError('Malformed CIDR, mask bits must be an integer')
  const length = Number(mask)
  if (length < 0) throw new InvalidPatternError('Malformed CIDR, mask bits must not be negative')
  const address = parseAddress(network)
  if (address === undefined) {
    const kind = looksLikeAddress.test(network) ? 'Invalid' : 'Nonstandard'
    throw new InvalidPatternError(`${kind} IP address: ${network}`)
  }
  const limit = address.bits.length
  if (length >= limit)
    throw new InvalidPatternError(`IPv${limit === 32 ? 4 : 6} mask bits must be < ${limit}`)
  const prefix = address.bits.slice(0, length)
  return value => {
    const bits = parseAddress(value)?.bits
    return bits !== undefined && bits.length === limit && bits.startsWith(prefix)
  }
}

export function parseAddress(value: unknown): IpAddress | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d+\.\d+\.\d+\.\d+$/.test(value)) {
    const bytes = value.split('.').map(Number)
    return bytes.every(byte => byte < 256) ? { bits: toBits(bytes, 8) } : undefined
  }
  if (!/^[\da-f:]+$/i.test(value) || !isIPv6(value)) return undefined
  const [head = '', tail] = value.split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const missing = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return { bits: toBits([...before, ...missing, ...after], 16) }
}

function groupsOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
}

function toBits(numbers: readonly number[], width: number): string {
  return numbers.map(number => number.toString(2).padStart(width, '0')).join('')
}
