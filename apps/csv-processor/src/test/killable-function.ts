import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

interface Answer {
  readonly result?: unknown
  readonly error?: { readonly name: string; readonly message: string }
}

/** The function in processes of their own, as Lambda runs it, so that they can be killed. */
export interface KillableFunction extends AsyncDisposable {
  handler(event: unknown, context: unknown): Promise<unknown>
  /** Kills one that is at work on such an event; false if there is none. */
  kill(eventType?: string): boolean
}

const script = fileURLToPath(new URL('function-process.ts', import.meta.url))

export function createKillableFunction(): KillableFunction {
  const idle: ChildProcess[] = []
  const busy = new Map<ChildProcess, string>()

  async function call(environment: ChildProcess, event: unknown, remainingMs: number): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const exited = () => resolve({ error: { name: 'Runtime.ExitError', message: 'the process was killed' } })
    environment.once('message', resolve).once('exit', exited)
    environment.send({ event, context: { remainingMs, awsRequestId: 'killable' } }, () => {})
    const answer = await promise
    environment.off('message', resolve).off('exit', exited)
    return answer
  }

  return {
    async handler(event, context) {
      const environment = idle.pop() ?? fork(script, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
      busy.set(environment, (event as { eventType: string }).eventType)
      const { getRemainingTimeInMillis } = context as { getRemainingTimeInMillis(): number }
      const { result, error } = await call(environment, event, getRemainingTimeInMillis())
      busy.delete(environment)
      if (environment.exitCode === null && environment.signalCode === null) idle.push(environment)
      if (error === undefined) return result
      throw Object.assign(new Error(error.message), { name: error.name })
    },
    kill(eventType) {
      const found = [...busy].find(([, type]) => eventType === undefined || type === eventType)
      return found?.[0].kill('SIGKILL') ?? false
    },
    async [Symbol.asyncDispose]() {
      const all = [...idle, ...busy.keys()]
      await Promise.all(
        all.map(async environment => {
          if (environment.exitCode !== null || environment.signalCode !== null) return
          const exited = once(environment, 'exit')
          environment.kill('SIGKILL')
          await exited
        }),
      )
    },
  }
}
