import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { chaosRounds } from '@stepwright/bench/chaos'
import { isTaskError } from '@stepwright/errors'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSender, parseEmailAddress, parseSender, writeSender } from './email-address.ts'
import { fillPlaceholders } from './fill-placeholders.ts'
import { readMailEvents } from './mail-event.ts'
import { createUnsubscribeTokens } from './unsubscribe-tokens.ts'

const runsPerRound = 500
/** Of the processor, for all that is done with one input. */
const maxInputMs = 200
const maxGrowthMb = 8

const marks = fc.constantFrom(
  '<',
  '>',
  '"',
  '\\',
  '@',
  '.',
  ' ',
  ',',
  '{',
  '}',
  '\r',
  '\n',
  '=',
  '?',
  'a',
  '店',
  '\ud800',
  '\0',
)
const text = fc.oneof(
  fc.string({ unit: marks, maxLength: 400 }),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.tuple(marks, fc.nat({ max: 50_000 })).map(([mark, count]) => mark.repeat(count)),
)
/** Events of SES with anything in any place. */
const event = fc.oneof(
  fc.jsonValue(),
  fc.record({
    eventType: fc.constantFrom('Bounce', 'Complaint', 'Delivery', 'Send', 'Reject', 'x'),
    mail: fc.jsonValue(),
  }),
  fc.record({ Records: fc.array(fc.record({ body: fc.oneof(fc.json(), text) }), { maxLength: 3 }) }),
)
const tokens = createUnsubscribeTokens([Buffer.alloc(32, 'k')])

function useAll(given: string, told: unknown): void {
  const address = parseEmailAddress(given)
  if (address !== undefined) expect(parseEmailAddress(address)).toBe(address)
  const sender = parseSender(given)
  if (sender) {
    expect(parseSender(writeSender(sender))).toEqual(sender)
    expect(formatSender(sender)).toMatch(/^[ -~]*$/)
  }
  fillPlaceholders(given, { a: given })
  expect(tokens.open(given)).toBeUndefined()
  try {
    readMailEvents(told)
  } catch (error) {
    expect(isTaskError(error) && error.name).toBe('ValidationError')
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What is alive. What a process holds besides is garbage, most of it that of the inputs' generators. */
function liveMb(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1024 / 1024
}

/** The processor time of the slowest input. */
function tryInputs(numRuns: number): number {
  let slowestMs = 0
  fc.assert(
    fc.property(text, event, (given, told) => {
      const started = process.cpuUsage()
      useAll(given, told)
      const { user, system } = process.cpuUsage(started)
      slowestMs = Math.max(slowestMs, (user + system) / 1000)
    }),
    { numRuns },
  )
  return slowestMs
}

describe('whatever the input', () => {
  it('is read or refused: no crash, no hang, no growth', () => {
    tryInputs(runsPerRound) // the generators make tables that stay
    const before = liveMb()
    expect(tryInputs(runsPerRound * chaosRounds(1))).toBeLessThan(maxInputMs)
    expect(liveMb() - before).toBeLessThan(maxGrowthMb)
  }, 600_000)
})
