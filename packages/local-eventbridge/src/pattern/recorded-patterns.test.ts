import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { matchesPattern } from './event-pattern.ts'

interface RecordedCase {
  readonly name: string
  readonly pattern: Readonly<Record<string, unknown>>
  readonly event: Readonly<Record<string, unknown>>
  readonly expected: { readonly matches: boolean } | { readonly refused: true; readonly message: string }
}

const file = join(import.meta.dirname, '../../../../../shared/conformance/event-patterns.json')

describe.skipIf(!existsSync(file))('what AWS recorded (needs the corpus beside the repository)', () => {
  it('is answered alike, with the same messages', () => {
    const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly RecordedCase[] }
    expect(cases.length).toBeGreaterThan(50)
    expect(cases.map(recorded => ({ ...recorded, expected: answerTo(recorded) }))).toEqual(
      cases.map(({ expected, ...recorded }) => ({ ...recorded, expected: withoutCode(expected) })),
    )
  })
})

function answerTo({ pattern, event }: RecordedCase): object {
  try {
    return { matches: matchesPattern(pattern, event) }
  } catch (error) {
    return { refused: true, message: `Event pattern is not valid. Reason: ${(error as Error).message}` }
  }
}

function withoutCode(expected: RecordedCase['expected']): object {
  return 'message' in expected ? { refused: true, message: expected.message } : expected
}
