import { S3Error } from './s3-error.ts'

export interface SizeLimits {
  readonly minBytes: number
  readonly maxBytes: number
}

type Fields = Readonly<Record<string, string>>

/** Throws unless the policy of a form allows its fields: each of them has to be named there. */
export function assertPolicy(policy: string, fields: Fields, nowMs: number): SizeLimits {
  const { expiration, conditions } = parsePolicy(policy)
  if (!(Date.parse(String(expiration)) > nowMs)) throw denied('Policy expired.')
  const named = new Set(['policy', 'x-amz-signature'])
  const limits = { minBytes: 0, maxBytes: 5 * 1024 ** 3 }
  for (const condition of conditions) {
    const [operator, name, value, ...more] = toTriple(condition)
    if (operator === 'content-length-range') {
      Object.assign(limits, { minBytes: Number(name), maxBytes: Number(value) })
      continue
    }
    const field = String(name).replace(/^\$/, '').toLowerCase()
    named.add(field)
    if (more.length > 0 || !holds(operator, fields[field] ?? '', String(value))) {
      throw denied(`Policy Condition failed: ${JSON.stringify(condition)}`)
    }
  }
  const extra = Object.keys(fields).filter(name => !named.has(name) && !name.startsWith('x-ignore-'))
  if (extra.length > 0) throw denied(`Extra input fields: ${extra.join(', ')}`)
  return limits
}

function holds(operator: unknown, given: string, wanted: string): boolean {
  if (operator === 'eq') return given === wanted
  return operator === 'starts-with' && given.startsWith(wanted)
}

function toTriple(condition: unknown): unknown[] {
  if (Array.isArray(condition)) return condition
  const [[name, value] = []] = Object.entries(condition ?? {})
  return ['eq', name, value]
}

function parsePolicy(policy: string): { expiration: unknown; conditions: readonly unknown[] } {
  try {
    const { expiration, conditions } = JSON.parse(Buffer.from(policy, 'base64').toString())
    if (Array.isArray(conditions)) return { expiration, conditions }
  } catch {
    // falls through
  }
  throw new S3Error('InvalidPolicyDocument')
}

function denied(why: string): S3Error {
  return new S3Error('AccessDenied', `Invalid according to Policy: ${why}`)
}
