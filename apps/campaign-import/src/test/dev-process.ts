import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const folder = join(import.meta.dirname, '../..')
const program = join(folder, '../../packages/cli/src/bin.ts')

/** `stepwright dev --data DIR` in a process of its own, as a developer runs it. */
export interface DevProcess {
  /** What it prints for other shells: `DATABASE_URL`, `AWS_ENDPOINT_URL_SFN`, … */
  readonly variables: ReadonlyMap<string, string>
  readonly gateway: string
  readonly token: string
  /** SIGKILL, and everything that it started is gone. */
  kill(): Promise<void>
}

/** Resolves when the app runs. */
export async function startDev(dataDirectory: string): Promise<DevProcess> {
  const config = fileURLToPath(new URL('./fast-sending.config.ts', import.meta.url))
  const options = ['--config', config, '--data', dataDirectory, '--user', 'ann']
  const child = spawn(process.execPath, [program, 'dev', ...options], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: 'CRITICAL' },
  })
  const exited = once(child, 'exit')
  const printed = await readUntilReady(child)
  const words = (name: string): string => new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(printed)?.[1] ?? ''
  return {
    variables: new Map(
      [...printed.matchAll(/export (\w+)='([^']*)'/g)].map(([, name = '', value = '']) => [name, value]),
    ),
    gateway: words('gateway'),
    token: words('token'),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

async function readUntilReady(child: ChildProcess): Promise<string> {
  let printed = ''
  let trouble = ''
  child.stderr?.on('data', chunk => {
    trouble += chunk
  })
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    printed += `${line}\n`
    if (line.startsWith('Ctrl-C')) {
      child.stdout?.resume()
      return printed
    }
  }
  throw new Error(`stepwright dev did not start: ${trouble}`)
}
