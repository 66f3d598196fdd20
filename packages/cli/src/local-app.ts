import { resolve } from 'node:path'
import type { RunningApp, StartAppOptions } from '@stepwright/local-cloud'
import { requireApp } from './config.ts'
import { UsageError } from './io.ts'

export interface LocalAppOptions extends StartAppOptions {
  readonly config: string | undefined
  /** Where state is kept, relative to `cwd`. */
  readonly data: string | undefined
}

/** Starts the app of the config on this machine. */
export async function startLocalApp(
  cwd: string,
  { config, data, ...options }: LocalAppOptions,
): Promise<RunningApp> {
  const app = await requireApp(cwd, config)
  const { startApp } = await importLocalCloud()
  return startApp(app, { ...options, ...(data !== undefined && { dataDirectory: resolve(cwd, data) }) })
}

async function importLocalCloud(): Promise<typeof import('@stepwright/local-cloud')> {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major < 24) throw new UsageError(`This needs Node 24 or later, and runs on ${process.version}.`)
  try {
    return await import('@stepwright/local-cloud')
  } catch (cause) {
    throw new UsageError(
      'This needs @stepwright/local-cloud: npm install --save-dev @stepwright/local-cloud',
      { cause },
    )
  }
}
