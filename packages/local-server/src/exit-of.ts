import type { ChildProcess } from 'node:child_process'

/** The exit code of a child, -1 when it was killed or could not be started. */
export function exitOf(child: ChildProcess): Promise<number> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode)
  if (child.signalCode !== null) return Promise.resolve(-1)
  return new Promise(resolve => {
    child.once('error', () => resolve(-1))
    child.once('exit', code => resolve(code ?? -1))
  })
}
