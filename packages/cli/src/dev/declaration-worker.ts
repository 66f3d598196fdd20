import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

/** What an app declares, in a form that can be compared; or why that cannot be said. */
export type Look = { readonly declared: string } | { readonly problem: string }

const { configFile, changedFile } = workerData as {
  readonly configFile: string
  readonly changedFile: string | undefined
}

process.removeAllListeners('warning') // that types are stripped is no news
parentPort?.postMessage(await look())

async function look(): Promise<Look> {
  try {
    if (changedFile !== undefined && /\.[cm]?ts$/.test(changedFile))
      stripTypeScriptTypes(readFileSync(changedFile, 'utf8'))
    const { default: app, config } = await import(pathToFileURL(configFile).href)
    return { declared: JSON.stringify(app ?? config, comparable) }
  } catch (error) {
    return { problem: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }
}

/** Tasks and schemas are taken from their modules; what is left of them has to be told from something else only. */
function comparable(key: string, value: unknown): unknown {
  if (key === 'task' || key === 'input' || key === 'errors') return undefined
  return typeof value === 'function' ? undefined : value
}
