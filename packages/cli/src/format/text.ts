import { styleText } from 'node:util'
import type { Finding, Severity } from '@stepwright/asl'
import type { Checked } from '../check-file.ts'
import { excerpt } from './excerpt.ts'

const colours = { error: 'red', warning: 'yellow', info: 'blue' } as const
const severities = ['error', 'warning', 'info'] as const
const words: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' }

/** For people: each finding with its place in the source, errors first, and a line that sums up. */
export function formatText(checked: readonly Checked[], { colour }: { readonly colour: boolean }): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    colour ? styleText(style, text, { validateStream: false }) : text
  const parts = severities.flatMap(severity =>
    checked.flatMap(({ text, findings }) =>
      findings.filter(each => each.severity === severity).map(each => describe(each, text, paint)),
    ),
  )
  for (const { file, fixed } of checked) if (fixed) parts.push(`${paint('green', 'fixed')} ${file}\n`)
  parts.push(`${summary(checked)}\n`)
  return parts.join('\n')
}

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

function describe(finding: Finding, text: string, paint: Paint): string {
  const { severity, rule, file, line, column, pointer, message, suggestion } = finding
  const lines = [
    `${paint([colours[severity], 'bold'], words[severity])} ${paint('bold', message)}`,
    `  ${paint('cyan', `${file}:${line}:${column}`)} ${paint('dim', `${pointer}  ${rule}`)}`,
    ...excerpt(text, finding, carets => paint(colours[severity], carets)).map(each => `  ${each}`),
  ]
  if (suggestion !== undefined) lines.push(`  ${paint('green', '→')} ${suggestion}`)
  return `${lines.join('\n')}\n`
}

function summary(checked: readonly Checked[]): string {
  const findings = checked.flatMap(({ findings: each }) => each)
  const machines = count(checked.filter(({ ofApp }) => ofApp !== true).length, 'state machine')
  if (checked.length === 0) return 'There is no state machine in what was named.'
  if (findings.length === 0) return `${machines} checked, nothing found.`
  const counts = severities.flatMap(severity => {
    const number = findings.filter(finding => finding.severity === severity).length
    return number === 0 ? [] : [count(number, words[severity])]
  })
  const fixable = checked.flatMap(each =>
    each.fixable ? each.findings.filter(({ fix }) => fix !== undefined) : [],
  ).length
  const hint = fixable === 0 ? '' : ` ${fixable} can be fixed with --fix.`
  return `${counts.join(', ')} in ${machines}.${hint} "stepwright check --explain RULE" says more about a rule.`
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
