import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AnyApp } from '@stepwright/app'
import type { RunningApp } from '@stepwright/local-cloud'

const quietMs = 150
const ignored = /(^|[\\/])(node_modules|dist|coverage|\.[^\\/]+)([\\/]|$)/
const loaded = /\.(asl\.\w+|[cm]?[jt]sx?|json|ya?ml)$/

export interface WatchAppOptions {
  readonly onReload: (file: string) => void
  readonly onProblem: (message: string) => void
}

/** Loads workflows and functions anew whenever one of the app's files changes. Executions go on. */
export function watchApp(
  app: AnyApp,
  running: Pick<RunningApp, 'reload'>,
  { onReload, onProblem }: WatchAppOptions,
): Disposable {
  let timer: NodeJS.Timeout | undefined
  let reloading = Promise.resolve()
  const reload = async (file: string): Promise<void> => {
    try {
      await running.reload()
      onReload(file)
    } catch (error) {
      onProblem(`${file} was not loaded: ${(error as Error).message}`)
    }
  }
  const watcher = watch(fileURLToPath(app.root), { recursive: true }, (_, file) => {
    if (file === null || ignored.test(file) || !loaded.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      reloading = reloading.then(() => reload(file))
    }, quietMs)
  })
  return {
    [Symbol.dispose]() {
      clearTimeout(timer)
      watcher.close()
    },
  }
}
