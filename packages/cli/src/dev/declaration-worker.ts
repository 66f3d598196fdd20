import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { App } from '@stepwright/app'

/** What an app declares, in a form that can be compared; or why that cannot be said. */
export type Look =
  | { readonly declared: string }
  | {
      readonly problem: string
      /** The function's module that cannot be loaded, as it is declared. */
      readonly module?: string
    }

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
    return (await brokenModule(app)) ?? { declared: JSON.stringify(app ?? config, comparable) }
  } catch (error) {
    return { problem: describe(error) }
  }
}

/**
 * A function's module whose imports do not exist. What a module throws is not looked at: it has not the variables of a
 * deployed function here.
 */
async function brokenModule(app: Partial<App> | undefined): Promise<Look | undefined> {
  for (const module of new Set(Object.values(app?.functions ?? {}).map(declared => declared.module))) {
    try {
      await import(new URL(module, app?.root).href)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const isUnlinked = error instanceof SyntaxError || code === 'ERR_MODULE_NOT_FOUND'
      if (isUnlinked) return { problem: describe(error), module }
    }
  }
  return undefined
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** Tasks and schemas are taken from their modules; what is left of them has to be told from something else only. */
function comparable(key: string, value: unknown): unknown {
  if (key === 'task' || key === 'input' || key === 'errors') return undefined
  return typeof value === 'function' ? undefined : value
}
