import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

export interface CommandOptions {
  readonly cwd: string
  /** @default the environment of this process */
  readonly env?: NodeJS.ProcessEnv
  /** @default 240,000 */
  readonly timeoutMs?: number
}

/** Runs a program to its end and gives what it printed. Fails with `CommandError` unless it exits with 0. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env = process.env, timeoutMs = 240_000 }: CommandOptions,
): Promise<{ stdout: string; stderr: string }> {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? String(code)))
  })
  const [end, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  if (end !== '0') throw new CommandError([command, ...args].join(' '), end, stdout, stderr)
  return { stdout, stderr }
}

export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly stdout: string
  readonly stderr: string

  constructor(line: string, end: string, stdout: string, stderr: string) {
    super(`"${line}" ended with ${end}\n${stdout}\n${stderr}`.trim())
    this.stdout = stdout
    this.stderr = stderr
  }
}
