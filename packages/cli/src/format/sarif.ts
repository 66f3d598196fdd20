import { join } from 'node:path'
import { type RuleId, rules } from '@stepwright/asl'
import type { Checked } from '../check-file.ts'

const levels = { error: 'error', warning: 'warning', info: 'note' } as const

/** SARIF 2.1.0, for code scanning. */
export function formatSarif(checked: readonly Checked[], { folder }: { readonly folder: string }): string {
  const findings = checked.flatMap(({ findings: each }) => each)
  const used = [...new Set(findings.map(({ rule }) => rule))].sort()
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'stepwright', rules: used.map(describeRule) } },
        columnKind: 'utf16CodeUnits',
        results: findings.map(
          ({ rule, severity, message, suggestion, file, pointer, line, column, endLine, endColumn }) => ({
            ruleId: rule,
            ruleIndex: used.indexOf(rule),
            level: levels[severity],
            message: { text: suggestion === undefined ? message : `${message} ${suggestion}` },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: encodeURI(join(folder, file).replaceAll('\\', '/')) },
                  region: { startLine: line, startColumn: column, endLine, endColumn },
                },
                logicalLocations: [{ fullyQualifiedName: pointer }],
              },
            ],
          }),
        ),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function describeRule(id: RuleId) {
  return {
    id,
    shortDescription: { text: rules[id].title },
    defaultConfiguration: { level: levels[rules[id].severity] },
  }
}
