import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'
import { type PublicName, readPublicNames } from '../../apps/demo/src/docs/public-names.ts'

/** A page of the reference: what one entry point exports. */
export interface ApiPage {
  /** `@stepwright/task/lambda` */
  readonly entry: string
  readonly slug: string
  readonly markdown: string
}

const kinds = ['Functions', 'Errors', 'Classes', 'Constants', 'Types'] as const
type Kind = (typeof kinds)[number]

interface Declared {
  readonly name: string
  readonly kind: Kind
  readonly code: string
  readonly comment: string
  /** `Row` of `<Row extends object>`: names that mean nothing outside. */
  readonly parameters: ReadonlySet<string>
}

/** One page for each entry point of each published package, from the declarations that a compiler would emit. */
export function readApiPages(root: string): readonly ApiPage[] {
  const names = readPublicNames(root)
  const slugs = new Map(names.map(({ entry }) => [entry, `api/${entry.replace('@stepwright/', '')}`]))
  /** The entry point where each name is at home: the shortest. */
  const homes = new Map<string, string>()
  for (const { name, entry } of names.toSorted((a, b) => a.entry.length - b.entry.length))
    if (!homes.has(name)) homes.set(name, entry)
  const declarationsIn = createDeclarationReader(root)

  return [...Map.groupBy(names, ({ entry }) => entry)].map(([entry, exported]) => {
    const slug = slugs.get(entry) ?? ''
    const linkTo = (name: string): string | undefined => {
      const home = exported.some(each => each.name === name) ? entry : homes.get(name)
      if (home === undefined) return undefined
      const path = posix.relative(posix.dirname(slug), `${slugs.get(home)}.md`)
      return `[\`${name}\`](${path}#${name.toLowerCase()})`
    }
    const declared = exported.map(each => declarationOf(each, declarationsIn))
    const sections = kinds.flatMap(kind => {
      const members = declared.filter(each => each.kind === kind)
      if (members.length === 0) return []
      return [`## ${kind}`, ...members.toSorted(byName).map(each => describe(each, linkTo))]
    })
    const folder = entry.replace('@stepwright/', '').split('/')[0]
    const readme = posix.relative(posix.dirname(slug), `packages/${folder}/README.md`)
    const head = `What \`${entry}\` exports, from its types. [How it is used](${readme}).`
    return {
      entry,
      slug,
      markdown: [`# ${entry}`, head, importLine(entry, declared), ...sections].join('\n\n'),
    }
  })
}

function byName(a: Declared, b: Declared): number {
  return a.name < b.name ? -1 : 1
}

function importLine(entry: string, declared: readonly Declared[]): string {
  const values = declared.filter(({ kind }) => kind !== 'Types').map(({ name }) => name)
  const shown = values.length === 0 ? declared.map(({ name }) => `type ${name}`) : values
  const list = shown.length > 4 ? `${shown.slice(0, 4).join(', ')} /* … */` : shown.join(', ')
  return `\`\`\`ts\nimport { ${list} } from '${entry}'\n\`\`\``
}

function describe(
  { name, code, comment, parameters }: Declared,
  linkTo: (name: string) => string | undefined,
): string {
  const mentioned = [...new Set(code.match(/\b[A-Z]\w+\b/g) ?? [])].filter(
    each => each !== name && !parameters.has(each),
  )
  const links = mentioned.map(linkTo).filter(link => link !== undefined)
  return [
    `### ${name}`,
    ...(comment === '' ? [] : [comment]),
    `\`\`\`ts\n${code}\n\`\`\``,
    ...(links.length === 0 ? [] : [`See ${links.join(', ')}.`]),
  ].join('\n\n')
}

function declarationOf(
  { name, entry, declaration }: PublicName,
  declarationsIn: (file: string) => ReadonlyMap<string, Declared>,
): Declared {
  const [file = '', original = name] = declaration.split('#')
  if (!file.endsWith('.ts')) {
    const code = `export { ${original === name ? name : `${original} as ${name}`} } from '${file}'`
    return { name, kind: 'Constants', code, comment: '', parameters: new Set() }
  }
  const found = declarationsIn(file).get(original)
  if (!found) throw new Error(`${entry} exports ${name}, which ${file} does not declare`)
  return { ...found, name }
}

/** What each file declares, as its `.d.ts` would. */
function createDeclarationReader(root: string): (file: string) => ReadonlyMap<string, Declared> {
  const known = new Map<string, ReadonlyMap<string, Declared>>()
  return file => {
    const read = known.get(file) ?? declarationsOf(readFileSync(join(root, file), 'utf8'), file)
    known.set(file, read)
    return read
  }
}

function declarationsOf(source: string, file: string): ReadonlyMap<string, Declared> {
  const { outputText } = ts.transpileDeclaration(source, {
    fileName: file,
    compilerOptions: { target: ts.ScriptTarget.ES2024, isolatedDeclarations: true, noCheck: true },
  })
  const tree = ts.createSourceFile(file, outputText, ts.ScriptTarget.ES2024, true)
  const declared = new Map<string, Declared>()
  for (const statement of tree.statements) {
    for (const name of namesOf(statement)) {
      const before = declared.get(name)
      const code = statement
        .getText(tree)
        .replace(/^export declare /, '')
        .replace(/^export /, '')
        .replace(/^declare /, '')
      declared.set(name, {
        name,
        kind: before?.kind ?? kindOf(statement),
        code: before ? `${before.code}\n${code}` : code,
        comment: before?.comment || commentOf(statement),
        parameters: new Set([...(before?.parameters ?? []), ...parametersOf(statement)]),
      })
    }
  }
  return declared
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  const named = statement as ts.Statement & { readonly name?: ts.Identifier }
  return named.name ? [named.name.text] : []
}

function parametersOf(node: ts.Node): readonly string[] {
  const own = ts.isTypeParameterDeclaration(node) ? [node.name.text] : []
  const below: string[] = []
  ts.forEachChild(node, child => {
    below.push(...parametersOf(child))
  })
  return [...own, ...below]
}

function kindOf(statement: ts.Statement): Kind {
  if (ts.isFunctionDeclaration(statement)) return 'Functions'
  if (ts.isClassDeclaration(statement))
    return /^export declare class \w+Error\b/.test(statement.getText()) ? 'Errors' : 'Classes'
  if (!ts.isVariableStatement(statement)) return 'Types'
  return /: \w*ErrorClass</.test(statement.getText()) ? 'Errors' : 'Constants'
}

/** Its sentences, then its tags, one a line. */
function commentOf(statement: ts.Statement): string {
  return ts
    .getJSDocCommentsAndTags(statement)
    .flatMap(doc => {
      if (!ts.isJSDoc(doc)) return []
      const text = ts.getTextOfJSDocComment(doc.comment) ?? ''
      const tags = (doc.tags ?? []).map(tag => {
        if (tag.tagName.text === 'example')
          return `\`\`\`ts\n${ts.getTextOfJSDocComment(tag.comment)}\n\`\`\``
        const about = ts.isJSDocParameterTag(tag) ? ` \`${tag.name.getText()}\`` : ''
        const type = ts.isJSDocThrowsTag(tag) && tag.typeExpression ? ` ${tag.typeExpression.getText()}` : ''
        return `- **${tag.tagName.text}**${about}${type} ${(ts.getTextOfJSDocComment(tag.comment) ?? '').trim()}`
      })
      return [[text.trim(), tags.join('\n')].filter(part => part !== '').join('\n\n')]
    })
    .join('\n\n')
}
