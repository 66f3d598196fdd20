import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A command that goes on until it is told to end. */
export interface RunningCommand extends AsyncDisposable {
  /** All that it printed so far. */
  printed(): string
  /** Waits until it has printed something; fails when it ends before. */
  until(pattern: RegExp): Promise<RegExpExecArray>
  /** As Ctrl-C does; waits for its end. */
  interrupt(): Promise<void>
}

export function startCommand(
  command: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): RunningCommand {
  // In a group of its own, as a shell has it: Ctrl-C reaches npm and what it started.
  const child: ChildProcess = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close') // when all that it and its children printed was read
  let printed = ''
  let onPrinted = (): void => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', bytes => {
      printed += String(bytes)
      onPrinted()
    })
  }
  const kill = (signal: NodeJS.Signals): void => {
    const isAlive = child.exitCode === null && child.signalCode === null
    if (isAlive && child.pid !== undefined) process.kill(-child.pid, signal)
  }
  return {
    printed: () => printed,
    until(pattern) {
      return new Promise((resolve, reject) => {
        onPrinted = () => {
          const found = pattern.exec(printed)
          if (found) resolve(found)
        }
        onPrinted()
        void ended.then(() => reject(new Error(`"${command} ${args.join(' ')}" ended:\n${printed}`)))
      })
    },
    async interrupt() {
      kill('SIGINT')
      await ended
    },
    async [Symbol.asyncDispose]() {
      kill('SIGKILL')
      await ended
    },
  }
}
