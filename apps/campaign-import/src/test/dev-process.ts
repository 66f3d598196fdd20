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
  const options = ['--config', config, '--data', dataDirectory, '--user', 'ann', '--json']
  const child = spawn(process.execPath, [program, 'dev', ...options], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: 'CRITICAL' },
  })
  const exited = once(child, 'exit')
  const { environment, gateway, token } = await readAddresses(child)
  return {
    variables: new Map(Object.entries(environment)),
    gateway,
    token,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

interface Addresses {
  readonly environment: Readonly<Record<string, string>>
  readonly gateway: string
  readonly token: string
}

/** They are in the line that says that the app runs. */
async function readAddresses(child: ChildProcess): Promise<Addresses> {
  let trouble = ''
  child.stderr?.on('data', chunk => {
    trouble += chunk
  })
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const event = JSON.parse(line)
    if (event.kind !== 'ready') continue
    child.stdout?.resume()
    return event
  }
  throw new Error(`stepwright dev did not start: ${trouble}`)
}
