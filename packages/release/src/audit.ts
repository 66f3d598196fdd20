import { CommandError, runCommand } from './command.ts'

export interface Advisory {
  readonly package: string
  readonly severity: string
  readonly title: string
  readonly url: string
}

export interface AuditOptions {
  /** @default the one that pnpm is set to */
  readonly registry?: string
  /** @default 20,000 */
  readonly timeoutMs?: number
}

/** Known faults of what users install with our packages; undefined where the registry does not tell. */
export async function auditDependencies(
  directory: string,
  { registry, timeoutMs = 20_000 }: AuditOptions = {},
): Promise<readonly Advisory[] | undefined> {
  const args = ['audit', '--prod', '--json', ...(registry === undefined ? [] : ['--registry', registry])]
  const printed = await runCommand('pnpm', args, { cwd: directory, timeoutMs })
    .then(({ stdout }) => stdout)
    .catch((error: unknown) => {
      if (error instanceof CommandError) return error.stdout
      throw error
    })
  return readAdvisories(printed)
}

function readAdvisories(printed: string): readonly Advisory[] | undefined {
  try {
    const { advisories } = JSON.parse(printed) as { advisories: Readonly<Record<string, PnpmAdvisory>> }
    return Object.values(advisories).map(({ module_name, severity, title, url }) => ({
      package: module_name,
      severity,
      title,
      url,
    }))
  } catch {
    return undefined
  }
}

interface PnpmAdvisory {
  readonly module_name: string
  readonly severity: string
  readonly title: string
  readonly url: string
}
