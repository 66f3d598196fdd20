import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join, relative } from 'node:path'

/** A change comes in several events; this long after the last one it is told. */
const quietMs = 150

export interface WatchFoldersOptions {
  /** Whether a file or folder, relative to the root, is of no interest. */
  readonly ignores: (path: string) => boolean
  /** Hears of files that changed, relative to the root, together if they changed together. */
  readonly onChange: (files: readonly string[]) => void
}

/**
 * Watches a folder and all below it. Each folder by itself: on Linux, Node's own recursive watcher loses a file when an
 * editor saves it by putting another in its place.
 */
export function watchFolders(root: string, { ignores, onChange }: WatchFoldersOptions): Disposable {
  const watchers = new Map<string, FSWatcher>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const note = (path: string): void => {
    changed.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const files = [...changed]
      changed.clear()
      onChange(files)
    }, quietMs)
  }

  /** A folder that is new may have files already, that nobody was told of. */
  const follow = (folder: string, isNew: boolean): void => {
    if (watchers.has(folder)) return
    try {
      const watcher = watch(folder, (_, name) => name !== null && look(join(folder, name)))
      watchers.set(
        folder,
        watcher.on('error', () => forget(folder)),
      )
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name)
        if (ignores(relative(root, path))) continue
        if (entry.isDirectory()) follow(path, isNew)
        else if (isNew) note(relative(root, path))
      }
    } catch {
      forget(folder) // gone again
    }
  }

  const forget = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  const look = (path: string): void => {
    const file = relative(root, path)
    if (ignores(file)) return
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.isDirectory()) follow(path, true)
    else if (stats === undefined && watchers.has(path)) forget(path)
    else note(file)
  }

  follow(root, false)
  return {
    [Symbol.dispose]() {
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}
