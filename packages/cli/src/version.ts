import { readFile } from 'node:fs/promises'

/** Of this package, and of the Node that runs it. */
export async function versionOf(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  return `stepwright ${version}, Node ${process.versions.node}`
}
