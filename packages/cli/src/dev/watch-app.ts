import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { App } from '@stepwright/app'
import type { RunningApp } from '@stepwright/local-cloud'
import { watchFolders } from '../watch-folders.ts'
import type { Look } from './declaration-worker.ts'

const ignored =
  /(^|[\\/])(node_modules|dist|coverage|cdk\.out|stepwright\.out|\.[^\\/]+)([\\/]|$)|\.test\.\w+$/
const loaded = /\.(asl\.\w+|[cm]?[jt]sx?|json|ya?ml)$/
const code = /\.[cm]?[jt]sx?$/

export interface WatchAppOptions {
  readonly onReload: (file: string) => void
  readonly onProblem: (file: string, message: string) => void
  /** The local services have rejected a definition, or it cannot be read: what is deployed stays as it is. */
  readonly onFailure: (files: readonly string[], error: Error) => void
  /** Loads the declaration anew after a file has changed. @default it is not looked at */
  readonly look?: (changedFile?: string) => Promise<Look>
}

/** Why a changed file cannot be used. */
interface Problem {
  readonly message: string
  /** Whether what is loaded stays as it is. */
  readonly stopsReload: boolean
}

/** Loads workflows and functions anew whenever one of the app's files changes. Executions go on. */
export function watchApp(
  app: App,
  running: Pick<RunningApp, 'reload'>,
  { onReload, onProblem, onFailure, look }: WatchAppOptions,
): Disposable {
  const root = fileURLToPath(app.root)
  const before = look?.()
  void before?.then(first => {
    if ('problem' in first) onProblem(first.module ?? app.name, `cannot be loaded: ${first.problem}`)
  })
  let reloading = Promise.resolve()

  const problemOf = async (file: string): Promise<Problem | undefined> => {
    if (!code.test(file)) return undefined
    const now = await look?.(join(root, file))
    if (now && 'problem' in now) return { message: `was not loaded: ${now.problem}`, stopsReload: true }
    const first = await before
    if (!now || !first || 'problem' in first || first.declared === now.declared) return undefined
    return {
      message: 'declares the app otherwise: end this with Ctrl-C and start it again',
      stopsReload: false,
    }
  }

  const reload = async (files: readonly string[]): Promise<void> => {
    try {
      const problems = await Promise.all(files.map(problemOf))
      for (const [index, problem] of problems.entries())
        if (problem !== undefined) onProblem(files[index] ?? '', problem.message)
      if (problems.some(problem => problem?.stopsReload)) return
      await running.reload()
      for (const file of files) onReload(file)
    } catch (error) {
      onFailure(files, error as Error)
    }
  }
  return watchFolders(root, {
    ignores: path => ignored.test(path),
    onChange(files) {
      const wanted = files.filter(file => loaded.test(file))
      if (wanted.length > 0) reloading = reloading.then(() => reload(wanted))
    },
  })
}
