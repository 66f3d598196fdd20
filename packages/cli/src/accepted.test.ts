import { checkWorkflow } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { withoutAccepted } from './accepted.ts'
import { UsageError } from './io.ts'

const findings = checkWorkflow({ StartAt: 'Ask', States: { Ask: { Type: 'Wait', Seconds: 1, End: true } } })
const [{ rule, pointer } = { rule: 'valid/syntax' as const, pointer: '' }] = findings

describe('withoutAccepted', () => {
  it('leaves out what is accepted, and only that', () => {
    expect(findings.length).toBeGreaterThan(0)
    const left = withoutAccepted(findings, [{ rule, pointer, reason: 'a demo' }], 'a.asl.json')
    expect(left).toEqual(findings.slice(1))
    expect(withoutAccepted(findings, [], 'a.asl.json')).toEqual(findings)
  })

  it('refuses an acceptance without a reason, or of what is not found any more', () => {
    const accept = (pointer: string, reason: string) => () =>
      withoutAccepted(findings, [{ rule, pointer, reason }], 'a.asl.json')
    expect(accept(pointer, ' ')).toThrow('needs a reason')
    expect(accept('/States/Gone', 'a demo')).toThrow(UsageError)
  })
})
