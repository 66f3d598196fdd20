import { resolve } from 'node:path'
import type { RunningApp, StartAppOptions } from '@stepwright/local-cloud'
import { checkFile } from './check-file.ts'
import { appOf, type LoadedConfig } from './config.ts'
import { targetsOf } from './discover.ts'
import { formatText } from './format/text.ts'
import { UsageError } from './io.ts'
import { createSourceFiles } from './source-files.ts'

export interface LocalAppOptions extends StartAppOptions {
  /** Where state is kept, relative to `cwd`. */
  readonly data: string | undefined
}

/** Starts the config's app on this machine. @throws UsageError for definitions that are missing or invalid */
export async function startLocalApp(
  config: LoadedConfig,
  cwd: string,
  { data, ...options }: LocalAppOptions,
): Promise<RunningApp> {
  const app = appOf(config)
  const { startApp } = await importLocalCloud()
  try {
    return await startApp(app, {
      ...options,
      ...(data !== undefined && { dataDirectory: resolve(cwd, data) }),
    })
  } catch (cause) {
    refuseTakenPort(cause, 'choose others with --port')
    refuseDefinitions(cause, config, cwd)
    throw cause
  }
}

/** Does nothing unless the error says that a port is taken. @throws UsageError */
export function refuseTakenPort(cause: unknown, remedy: string): void {
  const { code, port } = cause as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') throw new UsageError(`Port ${port} is taken: ${remedy}.`, { cause })
}

/** Does nothing unless a definition is the reason why the app did not start. @throws UsageError with what `check` says */
function refuseDefinitions(cause: unknown, config: LoadedConfig, cwd: string): void {
  const { name, code, message } = cause as NodeJS.ErrnoException
  if (name !== 'InvalidDefinition' && code !== 'ENOENT') return
  const how = { files: createSourceFiles(cwd), root: config.folder, fix: false }
  const checked = targetsOf([config], cwd, [])
    .flatMap(target => checkFile(target, how))
    .map(each => ({ ...each, findings: each.findings.filter(({ severity }) => severity === 'error') }))
    .filter(({ findings }) => findings.length > 0)
  if (checked.length > 0)
    throw new UsageError(`The app cannot start.\n\n${formatText(checked, { colour: false }).trimEnd()}`, {
      cause,
    })
  if (name === 'InvalidDefinition') throw new UsageError(message, { cause })
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
