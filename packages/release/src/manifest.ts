/** The fields of a package.json that matter to its publishing. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly description?: string
  readonly keywords?: readonly string[]
  readonly repository?: { readonly type: 'git'; readonly url: string; readonly directory?: string }
  readonly homepage?: string
  readonly bugs?: { readonly url: string }
  readonly files?: readonly string[]
  readonly exports?: Readonly<Record<string, ExportTarget>>
  /** A command's name and its file. */
  readonly bin?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly publishConfig?: Readonly<Record<string, unknown>>
  readonly dependencies?: Versions
  readonly devDependencies?: Versions
  readonly peerDependencies?: Versions
  readonly optionalDependencies?: Versions
}

type ExportTarget = string | Readonly<Record<string, string>>
type Versions = Readonly<Record<string, string>>

/** What users can import anywhere: `@stepwright/task`, `@stepwright/task/lambda`, …; Jest's entries are for its tests alone. */
export function importsOf({ name, exports = {} }: Manifest): string[] {
  return Object.keys(exports)
    .filter(subpath => !subpath.includes('*') && !/\.json$|^\.\/jest$/.test(subpath))
    .map(subpath => name + subpath.slice(1))
}

/** `@stepwright`; undefined for a package without one, such as `create-stepwright`. */
export function scopeOf({ name }: Pick<Manifest, 'name'>): string | undefined {
  return name.startsWith('@') ? name.split('/')[0] : undefined
}
