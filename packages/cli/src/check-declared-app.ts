import { fileURLToPath } from 'node:url'
import { type AcceptedFinding, type App, physicalNames } from '@stepwright/app'
import { checkApp, type Finding } from '@stepwright/asl'
import { allowedActions } from '@stepwright/policy'
import { withoutAccepted } from './accepted.ts'
import type { Checked } from './check-file.ts'
import type { LoadedConfig } from './config.ts'
import type { SourceFiles } from './source-files.ts'

/** Whether the parts of an app fit each other: its definitions, and the file that declares it. */
export function checkDeclaredApp(
  { app, file: config }: LoadedConfig,
  files: SourceFiles,
): readonly Checked[] {
  if (app === undefined) return []
  const sources = Object.fromEntries(
    Object.keys(physicalNames(app).workflows).map(name => [name, files.read(pathOf(app, name)).source]),
  )
  const file = files.nameOf(config)
  const findings = checkApp(app, { sources, file, allowedActions: name => allowedActions(app, name) })
  const findingsIn = (name: string, accept: readonly AcceptedFinding[]) =>
    withoutAccepted(
      findings.filter(finding => finding.file === name),
      accept,
      name,
    )
  const inDefinitions = Object.entries(sources).flatMap(([name, source]) =>
    toChecked(source.file, source.text, findingsIn(source.file, acceptedOf(app, name))),
  )
  return [...inDefinitions, ...toChecked(file, '', findingsIn(file, []))]
}

function toChecked(file: string, text: string, findings: readonly Finding[]): readonly Checked[] {
  return findings.length === 0 ? [] : [{ file, text, findings, fixable: false, fixed: false, ofApp: true }]
}

function pathOf(app: App, workflow: string): string {
  return fileURLToPath(new URL(app.workflows?.[workflow]?.definition ?? '', app.root))
}

function acceptedOf(app: App, workflow: string): readonly AcceptedFinding[] {
  const accept: readonly AcceptedFinding[] = app.workflows?.[workflow]?.accept ?? []
  return accept.filter(({ rule }) => rule.startsWith('app/'))
}
