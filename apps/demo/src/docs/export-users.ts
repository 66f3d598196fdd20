import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PublicName, readPublicNames } from './public-names.ts'

/** Where an export may be used: apps, templates, other packages' sources, guides and READMEs. */
const users = [
  'apps/*/{src,web,bench,test}/**/*.{ts,tsx}',
  'packages/*/{src,web}/**/*.{ts,tsx}',
  'packages/create-stepwright/templates/**/*.ts',
  'packages/docs/test/**/*.{ts,js}',
  'docs/**/*.md',
  'packages/*/README.md',
  'README.md',
]

/** Contract suites and memory adapters count as used: people test their own code with them. */
const isForTests = /\/(testing|memory)$/
/** So do error classes: people catch them. */
const isError = /Error$/

/** The exported values that no app, template, other package or guide imports. */
export function findUnusedExports(root: string): readonly string[] {
  const files = globSync(users, { cwd: root, exclude: ['**/node_modules/**', 'docs/site/**'] })
    .filter(path => !path.startsWith('packages/') || !/\.test\.tsx?$|\/src\/test\//.test(path))
    .map(path => ({ path, text: codeOf(path, readFileSync(join(root, path), 'utf8')) }))
  return readPublicNames(root)
    .filter(({ name, entry }) => !isForTests.test(entry) && !isError.test(name))
    .filter(({ declaration }) => isValue(root, declaration))
    .filter(each => !files.some(file => uses(file, each)))
    .map(({ name, entry }) => `${entry}: ${name}`)
    .toSorted()
}

/** Of a page, its examples: another test compiles and runs them. */
function codeOf(path: string, text: string): string {
  if (!path.endsWith('.md')) return text
  return [...text.matchAll(/^```(?:ts|js)\n(.*?)^```/gms)].map(([, code]) => code).join('\n')
}

function isValue(root: string, declaration: string): boolean {
  const [file = '', name = ''] = declaration.split('#')
  if (!file.endsWith('.ts')) return false
  const text = readFileSync(join(root, file), 'utf8')
  return new RegExp(
    `^export\\s+(?:abstract\\s+)?(?:async\\s+)?(?:function\\*?|class|const|let)\\s+${name}\\b`,
    'm',
  ).test(text)
}

function uses(
  { path, text }: { readonly path: string; readonly text: string },
  { name, entry, declaration }: PublicName,
): boolean {
  const own = declaration.split('/').slice(0, 2).join('/')
  if (path.startsWith(`${own}/`) && !path.endsWith('README.md')) return false
  if (!new RegExp(`['"]${entry}['"]`).test(text)) return false
  return new RegExp(`\\b${name}\\b`).test(text)
}
