import { markdownTable } from '@stepwright/bench'
import { reasonFor } from './reasons.ts'

/** How one case fared; empty lists are matches. `events` is absent where no history was recorded. */
export interface Result {
  readonly name: string
  readonly family: string
  readonly tier: string
  readonly core: readonly string[]
  readonly strict: readonly string[]
  readonly events?: readonly string[] | undefined
  /** How a replay of the recorded history from itself alone differs. */
  readonly replay?: readonly string[] | undefined
}

export interface Tally {
  cases: number
  core: number
  strict: number
  histories: number
  sameHistory: number
  sameReplay: number
}

function emptyTally(): Tally {
  return { cases: 0, core: 0, strict: 0, histories: 0, sameHistory: 0, sameReplay: 0 }
}

function tally(results: readonly Result[]): Tally {
  const sum = emptyTally()
  for (const { core, strict, events, replay } of results) {
    sum.cases += 1
    if (core.length === 0) sum.core += 1
    if (strict.length === 0) sum.strict += 1
    if (events === undefined) continue
    sum.histories += 1
    if (events.length === 0) sum.sameHistory += 1
    if (replay?.length === 0) sum.sameReplay += 1
  }
  return sum
}

function groupBy(results: readonly Result[], key: (result: Result) => string): Map<string, Result[]> {
  const groups = new Map<string, Result[]>()
  for (const result of results) {
    const name = key(result)
    groups.set(name, [...(groups.get(name) ?? []), result])
  }
  return groups
}

const otherThanExecutions = new Set([
  'test-state',
  'test-state-errors',
  'create-errors',
  'validate-definition',
])

/** Executions by tier, then TestState and definitions, then all together. */
export function summarise(results: readonly Result[]): Record<string, Tally> {
  const executions = results.filter(result => !otherThanExecutions.has(result.family))
  const tiers = groupBy(executions, result => `tier ${result.tier}`)
  const others = groupBy(
    results.filter(result => otherThanExecutions.has(result.family)),
    result => result.family,
  )
  return {
    ...Object.fromEntries([...tiers, ...others].map(([name, list]) => [name, tally(list)])),
    all: tally(results),
  }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
}

function rows(results: readonly Result[]): string[][] {
  const line = (name: string, sum: Tally): string[] => [
    name,
    String(sum.cases),
    percent(sum.core, sum.cases),
    percent(sum.strict, sum.cases),
    percent(sum.sameHistory, sum.histories),
    percent(sum.sameReplay, sum.histories),
  ]
  return [
    ...[...groupBy(results, result => `${result.family} (${result.tier})`)].map(([name, list]) =>
      line(name, tally(list)),
    ),
    ...Object.entries(summarise(results)).map(([name, sum]) => line(name, sum)),
  ]
}

const header = ['family (tier)', 'cases', 'core', 'strict', 'same history', 'same replay']

export function renderTable(results: readonly Result[]): string {
  const table = [header, ...rows(results)]
  const widths = header.map((_, column) => Math.max(...table.map(row => row[column]?.length ?? 0)))
  const lines = table.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const misses = results
    .filter(isMiss)
    .flatMap(result => [`\n${result.name}`, ...differences(result).map(text => `  ${text}`)])
  return `${[...lines, ...misses].join('\n')}\n`
}

function isMiss(result: Result): boolean {
  return [result.strict, result.events ?? [], result.replay ?? []].some(found => found.length > 0)
}

function differences(result: Result): string[] {
  return [
    ...result.core.map(text => `core: ${text}`),
    ...result.strict.filter(text => !result.core.includes(text)).map(text => `strict: ${text}`),
    ...(result.events ?? []).map(text => `history: ${text}`),
    ...(result.replay ?? []).map(text => `replay: ${text}`),
  ]
}

export function renderDocument(results: readonly Result[]): string {
  const table = markdownTable(header, rows(results))
  const misses = results
    .filter(isMiss)
    .map(result => {
      const found = differences(result)
      const reasons = [...new Set(found.map(reasonFor))].join(' ')
      return `- \`${result.name}\`\n${found.map(text => `  - ${text.replaceAll('|', '\\|')}`).join('\n')}\n  - Reason: ${reasons}`
    })
    .join('\n')
  return `${introduction}\n${table}\n\n## Every miss\n\n${misses === '' ? 'None.' : misses}\n`
}

const introduction = `# How closely the interpreter follows Step Functions

\`pnpm conformance [DIR]\` runs state machines that were recorded on AWS and compares what the interpreter makes of them. It writes this page; \`--json\` prints the same for machines, \`--no-doc\` leaves the page alone.

- **core**: status, output and error name are the same. **strict**: the cause texts too. **same history**: every event, with its id, its previous event and its details; where branches ran concurrently the recording has no ids, and events are compared as a multiset. **same replay**: \`replayHistory\` with nothing but the recorded history goes the same way with the same data, and ends alike.
- Tiers: \`none\` needs no service, \`lambda\` stubs functions, \`s3\` serves objects to an ItemReader, \`service\` needs callbacks, activities, nested executions or other services.
- What a service, a callback or a worker answered is part of the recorded surroundings: it is played back. What the interpreter makes of it is what is compared. The names of resources and roles are taken from the recording in the same way.
- Time is virtual and begins when the recording was made.

What was not recorded is tested by the package itself: failures past a Distributed Map's tolerance, the children's context object, manifests, jitter, the limit of 25,000 events, heartbeats.
`
