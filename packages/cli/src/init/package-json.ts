/** What is read of a package.json. */
export interface PackageJson {
  readonly name?: string
  readonly type?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The text with scripts that it has none of yet, indented as it is; and their names. */
export function addScripts(
  text: string,
  scripts: Readonly<Record<string, string>>,
): { readonly text: string; readonly added: readonly string[] } {
  const manifest = JSON.parse(text) as PackageJson
  const missing = Object.entries(scripts).filter(([name]) => !Object.hasOwn(manifest.scripts ?? {}, name))
  if (missing.length === 0) return { text, added: [] }
  const changed = { ...manifest, scripts: { ...manifest.scripts, ...Object.fromEntries(missing) } }
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  const end = text.endsWith('\n') ? '\n' : ''
  return { text: JSON.stringify(changed, null, indent) + end, added: missing.map(([name]) => name) }
}

/** A name for an app, from that of a package, whatever it is called. */
export function toAppName(packageName: string): string {
  const plain = packageName
    .replace(/^@[^/]*\//, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40)
    .replace(/(?<!-)-+$/, '')
  return plain === '' ? 'my-app' : plain
}

/** Those of the packages that the project does not depend on yet. */
export function missingFrom(
  { dependencies, devDependencies }: PackageJson,
  packages: readonly string[],
): readonly string[] {
  return packages.filter(name => !Object.hasOwn({ ...dependencies, ...devDependencies }, name))
}
