import { checkWorkflow, type Finding, type StateMachine } from '@stepwright/asl'
import { markdownTable, randomFrom } from '@stepwright/bench'
import { chaosRounds } from '@stepwright/bench/chaos'
import { describe, expect, it } from 'vitest'
import { drive } from './drive.ts'
import { judge, type Verdict } from './judge.ts'
import { inputSchema, tasks } from './random-data.ts'
import { randomMachine } from './random-machine.ts'

const seed = 20_261_117
const runs = 12
/** From here on the figures go into the documentation. */
const documented = 10_000

/** Whether a finding foretells that an execution fails; a comparison that never holds leads another way. */
function foretells({ rule, severity }: Finding): boolean {
  if (rule === 'flow/never-equal') return false
  return severity === 'error' || rule.startsWith('flow/') || rule === 'routes/no-default'
}

function reasonOf(failure: string): string {
  return failure
    .replace(
      /^.*?: (?:An error occurred while executing the state '[^']*' \(entered at the event id #\d+\)\. )?/,
      '',
    )
    .slice(0, 70)
}

function percent(part: number, whole: number): string {
  return ((100 * part) / Math.max(1, whole)).toFixed(1)
}

async function measure(machines: number) {
  const verdicts = new Map<string, Record<Verdict, number>>()
  const falseAlarms: string[] = []
  const unforeseen = new Map<string, readonly number[]>()
  const silent = { machines: 0, failing: 0 }
  const withoutError = { machines: 0, failing: 0 }
  for (let round = 0; round < machines; round += 1) {
    const random = randomFrom(seed + round)
    const definition: StateMachine = await randomMachine(random)
    const findings = checkWorkflow(definition, { input: inputSchema, tasks })
    expect(findings.filter(({ rule }) => rule.startsWith('valid/'))).toEqual([])
    const { passages, failures } = await drive(definition, random, runs)
    const told = findings.filter(foretells)
    for (const finding of told) {
      const verdict = judge(finding, passages, definition)
      const counted = verdicts.get(finding.rule) ?? { right: 0, wrong: 0, unseen: 0 }
      counted[verdict] += 1
      verdicts.set(finding.rule, counted)
      if (verdict === 'wrong')
        falseAlarms.push(`seed ${seed + round}: ${finding.rule} ${finding.pointer} ${finding.message}`)
    }
    const failing = failures.length > 0 ? 1 : 0
    if (!told.some(({ severity }) => severity === 'error')) {
      withoutError.machines += 1
      withoutError.failing += failing
    }
    if (told.length > 0) continue
    silent.machines += 1
    silent.failing += failing
    const reason = reasonOf(failures[0] ?? '')
    if (failing > 0) unforeseen.set(reason, [...(unforeseen.get(reason) ?? []), seed + round])
  }
  return { verdicts, falseAlarms, unforeseen, silent, withoutError }
}

describe('what the checker says of random machines', () => {
  it('is borne out when they are run', { timeout: 1_800_000 }, async () => {
    const machines = chaosRounds(5) * 20
    const { verdicts, falseAlarms, unforeseen, silent, withoutError } = await measure(machines)
    const unsound = percent(silent.failing, silent.machines)
    const reasons = [...unforeseen]
      .sort((a, b) => b[1].length - a[1].length)
      .map(([why, seeds]) => `  ${seeds.length} ${why} (seed ${seeds[0]})`)
    process.stdout.write(
      [
        `figure asl.unsound_percent ${unsound} of ${silent.machines} machines without a finding`,
        `figure asl.false_alarms ${falseAlarms.length} of ${machines} machines`,
        ...reasons.slice(0, 12),
        '',
      ].join('\n'),
    )
    expect(falseAlarms).toEqual([])
    // docs/rules/limits.md lists what is not checked; more must not come to it
    expect((100 * silent.failing) / Math.max(50, silent.machines)).toBeLessThanOrEqual(2)
    if (machines !== documented) return
    expect((100 * silent.failing) / silent.machines).toBeLessThanOrEqual(0.2)
    const rows = [...verdicts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([rule, { right, wrong, unseen }]) => [rule, right + wrong + unseen, right, wrong, unseen])
    const page = [
      '# How often the rules of the data flow are right',
      '',
      `\`pnpm chaos asl-engine --rounds ${documented / 20}\` makes ${documented.toLocaleString('en')} random machines of tasks, passes, waits, choices, maps and branches in both query languages, with results of lambda:invoke and schemas that are unions, checks them against the schemas of their input and tasks, and runs each of them ${runs} times with inputs and answers that fit those schemas. It writes this page, and fails where it is no longer true.`,
      '',
      'A finding is **right** when an execution failed in the state it names, and **wrong** when it says that something cannot go well, and an execution left the state by the way of which it says so. It is **unseen** when no execution came to the state that way, because one before it failed or the way was not taken, or when what may go wrong did not in any run.',
      '',
      markdownTable(['rule', 'findings', 'right', 'wrong', 'unseen'], rows),
      '',
      `Of ${silent.machines} machines without a finding of these rules, ${silent.failing} (${unsound} %) failed in one of the runs: see [what is not checked](limits.md). A machine that reads what its schema makes optional has a warning, not an error: of the ${withoutError.machines} machines without an error, ${withoutError.failing} failed in one of the runs, of which ${withoutError.failing - silent.failing} had been warned of it. When unions, results of lambda:invoke, Choices of JSONata without Default and \`$merge\` of lists were added to the random machines, 18.6 % of those without a finding failed.`,
      '',
    ].join('\n')
    await expect(page).toMatchFileSnapshot('../../../../docs/rules/precision.md')
  })
})
