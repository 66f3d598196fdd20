import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AcceptedFinding, type AnyApp, physicalNames } from '@stepwright/app'
import { checkApp, parseDefinition, type Source } from '@stepwright/asl'
import { withoutAccepted } from './accepted.ts'
import type { Checked } from './check-file.ts'
import type { LoadedConfig } from './config.ts'

/** Whether the parts of an app fit each other: its definitions, and the file that declares it. */
export function checkDeclaredApp({ app, file: config }: LoadedConfig, cwd: string): readonly Checked[] {
  if (app === undefined) return []
  const sources = readDefinitions(app, cwd)
  const file = relative(cwd, config) || config
  const findings = checkApp(app, { sources, file })
  const texts = [
    ...Object.entries(sources).map(([name, { file: definition, text }]) => ({
      file: definition,
      text,
      accept: acceptedOf(app, name),
    })),
    { file, text: readFileSync(config, 'utf8'), accept: [] },
  ]
  return texts.flatMap(({ file: name, text, accept }) => {
    const found = withoutAccepted(
      findings.filter(finding => finding.file === name),
      accept,
      name,
    )
    return found.length === 0
      ? []
      : [{ file: name, text, findings: found, fixable: false, fixed: false, ofApp: true }]
  })
}

function readDefinitions(app: AnyApp, cwd: string): Record<string, Source> {
  return Object.fromEntries(
    Object.keys(physicalNames(app).workflows).map(name => {
      const path = fileURLToPath(new URL(app.workflows?.[name]?.definition ?? '', app.root))
      return [name, parseDefinition(readFileSync(path, 'utf8'), { file: relative(cwd, path) || path })]
    }),
  )
}

function acceptedOf(app: AnyApp, workflow: string): readonly AcceptedFinding[] {
  const accept: readonly AcceptedFinding[] = app.workflows?.[workflow]?.accept ?? []
  return accept.filter(({ rule }) => rule.startsWith('app/'))
}
