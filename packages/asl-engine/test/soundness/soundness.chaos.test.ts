import { checkWorkflow, type Finding, type StateMachine } from '@stepwright/asl'
import { randomFrom } from '@stepwright/bench'
import { chaosRounds } from '@stepwright/bench/chaos'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/engine.ts'
import { createVirtualClock } from '../../src/time/clock.ts'
import { inputSchema, randomInput, randomMachine } from './random-machine.ts'

/** Rules whose finding means that the state cannot go well, by whichever way it is reached. */
const certain = new Set([
  'flow/missing-path',
  'flow/result-path',
  'flow/unassigned-variable',
  'flow/unknown-context',
  'flow/wrong-type',
])

/** Whether the state cannot go well by any way; what is missing by one way only may be there by another. */
function isCertain({ rule, severity, message }: Finding): boolean {
  return certain.has(rule) && severity === 'error' && !message.includes('by way of')
}

async function drive(definition: StateMachine, random: () => number) {
  const failures: string[] = []
  const left = new Set<string>()
  for (let run = 0; run < 12; run += 1) {
    const engine = createEngine({ definition, clock: createVirtualClock() })
    const running = engine.run(randomInput(random))
    const result = await running.result
    for (const event of running.history()) {
      const name = event['stateExitedEventDetails']?.['name']
      if (typeof name === 'string') left.add(name)
    }
    if (result.status === 'FAILED') failures.push(`${result.error}: ${result.cause}`)
  }
  return { failures, left }
}

function stateOf({ pointer }: Finding): string {
  return pointer.split('/').findLast((_part, index, parts) => parts[index - 1] === 'States') ?? ''
}

describe('what the checker says of random machines', () => {
  it('is borne out when they are run', { timeout: 600_000 }, async () => {
    const seed = 20_261_117
    const unforeseen = new Map<string, number>()
    const falseAlarms: string[] = []
    let silent = 0
    let unsound = 0
    for (let round = 0; round < chaosRounds(5) * 20; round += 1) {
      const random = randomFrom(seed + round)
      const definition = randomMachine(random) as unknown as StateMachine
      const findings = checkWorkflow(definition, { input: inputSchema })
      const told = findings.filter(
        ({ severity, rule }) => severity === 'error' || /^(flow|routes\/no-default)/.test(rule),
      )
      if (findings.some(({ rule }) => rule.startsWith('valid/'))) continue
      const { failures, left } = await drive(definition, random)
      for (const finding of told)
        if (isCertain(finding) && left.has(stateOf(finding)))
          falseAlarms.push(`seed ${seed + round}: ${finding.rule} ${finding.pointer} ${finding.message}`)
      if (told.length > 0) continue
      silent += 1
      if (failures.length === 0) continue
      unsound += 1
      const why =
        failures[0]
          ?.replace(
            /.*?: (?:An error occurred while executing the state '[^']*' \(entered at the event id #\d+\)\. )?/,
            '',
          )
          .slice(0, 50) ?? ''
      unforeseen.set(why, (unforeseen.get(why) ?? 0) + 1)
    }
    const percent = (100 * unsound) / Math.max(1, silent)
    process.stdout.write(
      `figure asl.unsound_percent ${percent.toFixed(1)} of ${silent} machines without a finding\n`,
    )
    process.stdout.write(
      `${[...unforeseen]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 12)
        .map(([why, times]) => `  ${times} ${why}`)
        .join('\n')}\n`,
    )
    expect(falseAlarms).toEqual([])
    // docs/rules/limits.md lists what is not checked; more must not come to it
    expect(percent).toBeLessThan(4)
  })
})
