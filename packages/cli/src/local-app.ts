import { resolve } from 'node:path'
import type { App } from '@stepwright/app'
import type { RunningApp, StartAppOptions } from '@stepwright/local-cloud'
import { UsageError } from './io.ts'

export interface LocalAppOptions extends StartAppOptions {
  /** Where state is kept, relative to `cwd`. */
  readonly data: string | undefined
}

/** Starts the app on this machine. */
export async function startLocalApp(
  app: App,
  cwd: string,
  { data, ...options }: LocalAppOptions,
): Promise<RunningApp> {
  const { startApp } = await importLocalCloud()
  try {
    return await startApp(app, {
      ...options,
      ...(data !== undefined && { dataDirectory: resolve(cwd, data) }),
    })
  } catch (cause) {
    refuseTakenPort(cause, 'choose others with --port')
    throw cause
  }
}

/** Does nothing unless the error says that a port is taken. @throws UsageError */
export function refuseTakenPort(cause: unknown, remedy: string): void {
  const { code, port } = cause as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') throw new UsageError(`Port ${port} is taken: ${remedy}.`, { cause })
}

async function importLocalCloud(): Promise<typeof import('@stepwright/local-cloud')> {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major < 24) throw new UsageError(`This needs Node 24 or later, and runs on ${process.version}.`)
  try {
    return await import('@stepwright/local-cloud')
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    throw new UsageError(
      'This needs @stepwright/local-cloud: npm install --save-dev @stepwright/local-cloud',
      { cause },
    )
  }
}

/** Not there at all, which is another thing than not to be loaded. */
function isMissing(error: unknown): boolean {
  const { code, message = '' } = error as NodeJS.ErrnoException
  return code === 'ERR_MODULE_NOT_FOUND' && message.includes("'@stepwright/local-cloud'")
}
