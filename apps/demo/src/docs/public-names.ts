import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** A name that users can import, and where it is declared, whatever it passed through on its way. */
export interface PublicName {
  readonly name: string
  /** `@stepwright/task/lambda` */
  readonly entry: string
  /** `packages/task/src/lambda.ts#LambdaOptions` */
  readonly declaration: string
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
}

/** The names of all entry points of all packages that are published, values and types; those that Vitest asks for apart. */
export function readPublicNames(root: string): readonly PublicName[] {
  const entries = readEntries(root)
  const read = createReader(root, entries)
  return [...entries]
    .filter(([entry]) => !entry.endsWith('/vitest/setup'))
    .flatMap(([entry, file]) => [...read(file)].map(([name, declaration]) => ({ name, entry, declaration })))
}

/** The source file of each entry point. */
function readEntries(root: string): ReadonlyMap<string, string> {
  const entries = globSync('{packages,apps}/*/package.json', { cwd: root })
    .toSorted()
    .flatMap(path => {
      const manifest: Manifest = JSON.parse(readFileSync(join(root, path), 'utf8'))
      if (manifest.private) return []
      return Object.entries(manifest.exports ?? {}).flatMap(([subpath, file]) =>
        typeof file === 'string' && file.endsWith('.ts')
          ? [[manifest.name + subpath.slice(1), join(root, dirname(path), file)] as const]
          : [],
      )
    })
  return new Map(entries)
}

type Declarations = ReadonlyMap<string, string>

/** Follows a file's exports to the files that declare them. */
function createReader(root: string, entries: ReadonlyMap<string, string>): (file: string) => Declarations {
  const known = new Map<string, Declarations>()

  const follow = (file: string, from: string, name: string): string => {
    const source = from.startsWith('.') ? join(dirname(file), from) : entries.get(from)
    return (source && read(source).get(name)) ?? `${from}#${name}`
  }
  const read = (file: string): Declarations => {
    const seen = known.get(file)
    if (seen) return seen
    const text = readFileSync(file, 'utf8')
    const imported = new Map(
      listsOf(text, 'import').flatMap(({ names, from }) =>
        names.map(({ local, outer }) => [outer, () => follow(file, from ?? '', local)] as const),
      ),
    )
    const here = (name: string) => `${relative(root, file)}#${name}`
    const declarations = new Map([
      ...declaredIn(text).map(name => [name, here(name)] as const),
      ...listsOf(text, 'export').flatMap(({ names, from }) =>
        names.map(({ local, outer }) => {
          const origin = from === undefined ? imported.get(local)?.() : follow(file, from, local)
          return [outer, origin ?? here(local)] as const
        }),
      ),
    ])
    known.set(file, declarations)
    return declarations
  }
  return read
}

interface NameList {
  readonly names: readonly { readonly local: string; readonly outer: string }[]
  readonly from: string | undefined
}

/** `export { a, type B as C } from './d.ts'`, and imports of that form. */
function listsOf(text: string, keyword: 'import' | 'export'): readonly NameList[] {
  const pattern = new RegExp(`^${keyword}\\s+(?:type\\s+)?\\{([^}]*)\\}(?:\\s*from\\s*'([^']+)')?`, 'gm')
  return [...text.matchAll(pattern)].map(([, list = '', from]) => ({
    names: list
      .replace(/\/\/.*$/gm, '')
      .split(',')
      .map(item => item.trim().replace(/^type\s+/, ''))
      .filter(item => item !== '')
      .map(item => {
        const [local = '', outer = local] = item.split(/\s+as\s+/)
        return { local, outer }
      }),
    from,
  }))
}

function declaredIn(text: string): readonly string[] {
  const pattern =
    /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|interface|type)\s+([\w$]+)/gm
  return [...text.matchAll(pattern)].map(([, name = '']) => name)
}
