import { readdir, readFile } from 'node:fs/promises'

const folder = new URL('../../example/', import.meta.url)

/** The files of an example, by their paths; `extension` is what Node takes for modules in that project. */
export async function exampleApp(
  name: string,
  extension: 'ts' | 'mts',
): Promise<Readonly<Record<string, string>>> {
  const rename = (text: string): string => text.replace(/\.ts(?=$|')/gm, `.${extension}`)
  const files = (await readdir(folder)).toSorted().map(async file => {
    const text = await readFile(new URL(file, folder), 'utf8')
    const written = file.endsWith('.ts') ? rename(text).replace("'my-app'", `'${name}'`) : text
    return [`stepwright/${rename(file)}`, written] as const
  })
  return {
    [`stepwright.config.${extension}`]: `export { app as default } from './stepwright/app.${extension}'\n`,
    ...Object.fromEntries(await Promise.all(files)),
  }
}

/** A config for a project that has state machines already. */
export function existingConfig(definitions: readonly string[]): string {
  const workflows = definitions.map(
    definition => `    { definition: ${quoted(definition)} /* , tasks: { NameOfState: task } */ },`,
  )
  return `import { defineConfig } from '@stepwright/cli'

/** With the tasks that its states call, a state machine is checked against their errors and schemas too. */
export default defineConfig({
  workflows: [
${workflows.join('\n')}
  ],
})
`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '/').replaceAll("'", "\\'")}'`
}
