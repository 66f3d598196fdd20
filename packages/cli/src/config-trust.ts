import { existsSync, statSync } from 'node:fs'
import { UsageError } from './io.ts'

/** Who runs the command, as far as it decides whose code may run. */
export interface Runner {
  /** Undefined where users have no numbers, as on Windows. */
  readonly uid: number | undefined
  /** In a container everything is root's, and the project another user's of the machine around it. */
  readonly inContainer: boolean
}

const containerFiles = ['/.dockerenv', '/run/.containerenv']

function thisProcess(): Runner {
  const inContainer = containerFiles.some(file => existsSync(file)) || process.env['container'] !== undefined
  return { uid: process.getuid?.(), inContainer }
}

/**
 * Rejects a config that belongs to another user: to load it is to run it.
 * @throws UsageError that says how to load it all the same
 */
export function assertOwnConfig(file: string, { uid, inContainer }: Runner = thisProcess()): void {
  if (uid === undefined || (uid === 0 && inContainer)) return
  const owner = statSync(file).uid
  if (owner === uid || owner === 0) return
  throw new UsageError(
    `${file} belongs to another user (uid ${owner}) and was not loaded, since that runs it. If you trust it: --trust-config.`,
  )
}
