import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A program that serves in a process of its own, and sends its `endpoint` when it does. */
export type ForkedServer<T> = T & { readonly endpoint: string } & AsyncDisposable

export async function forkServer<T = object>(
  script: string,
  args: readonly string[],
): Promise<ForkedServer<T>> {
  const child = fork(script, args)
  const [started] = (await once(child, 'message')) as [T & { readonly endpoint: string }]
  return {
    ...started,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
