import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A workspace package, its layer, and those of ours that its sources import. */
export interface PackageNode {
  readonly name: string
  readonly layer: string
  readonly imports: readonly string[]
}

/** Read from the import statements of `src`, tests apart. */
export function readPackages(root: string): readonly PackageNode[] {
  return globSync('{packages,apps}/*/src', { cwd: root })
    .map(folder => join(root, folder, '..'))
    .map(folder => ({ name: basename(folder), layer: layerOf(folder), imports: importsOf(folder) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function layerOf(folder: string): string {
  try {
    const { tags = [] } = JSON.parse(readFileSync(join(folder, 'turbo.json'), 'utf8'))
    return tags[0] ?? 'app'
  } catch {
    return 'app'
  }
}

function importsOf(folder: string): readonly string[] {
  const sources = globSync('src/**/*.ts', { cwd: folder }).filter(
    file => !/\.test\.ts$|(^|\/)test\/|(^|\/)testing\.ts$/.test(file),
  )
  const found = sources.flatMap(file => {
    const text = readFileSync(join(folder, file), 'utf8')
    return [...text.matchAll(/(?:from|import\()\s*'@stepwright\/([\w-]+)/g)].map(([, name = '']) => name)
  })
  return [...new Set(found)].filter(name => name !== basename(folder)).sort()
}
