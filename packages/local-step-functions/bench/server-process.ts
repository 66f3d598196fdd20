import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface ServerProcess extends AsyncDisposable {
  readonly endpoint: string
  /** From the first line of the program to the answer to a first request being possible. */
  readonly startedInMs: number
  rssMb(): Promise<number>
}

export async function startServer(
  kind: 'bare' | 'step-functions',
  directory: string,
  { maxFiles }: { maxFiles?: number } = {},
): Promise<ServerProcess> {
  const child = fork(join(import.meta.dirname, '../test/bench-server.ts'), [kind, directory], {
    execArgv: ['--expose-gc'],
    ...(maxFiles === undefined ? {} : { execPath: join(import.meta.dirname, 'limited-node.sh') }),
    env: { ...process.env, NODE: process.execPath, MAX_FILES: String(maxFiles ?? '') },
  })
  const [started] = (await once(child, 'message')) as [{ endpoint: string; startedInMs: number }]
  return {
    ...started,
    rssMb: async () => {
      child.send('rss')
      const [{ rssMb }] = (await once(child, 'message')) as [{ rssMb: number }]
      return rssMb
    },
    [Symbol.asyncDispose]: () => end(child),
  }
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
