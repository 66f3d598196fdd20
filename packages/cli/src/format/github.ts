import { join } from 'node:path'
import type { Finding } from '@stepwright/asl'
import type { Checked } from '../check-file.ts'

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const

/** Workflow commands, which GitHub shows beside the lines of a pull request. */
export function formatGithub(checked: readonly Checked[], { folder }: { readonly folder: string }): string {
  return checked.flatMap(({ findings }) => findings.map(finding => toCommand(finding, folder))).join('')
}

function toCommand(finding: Finding, folder: string): string {
  const { severity, line, column, endLine, endColumn, rule, message, suggestion } = finding
  const file = join(folder, finding.file).replaceAll('\\', '/')
  const properties = { file, line, col: column, endLine, endColumn, title: rule }
  const listed = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`)
  const text = suggestion === undefined ? message : `${message}\n${suggestion}`
  return `::${commands[severity]} ${listed.join(',')}::${escapeData(text)}\n`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
