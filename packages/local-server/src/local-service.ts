import { type RequestHandler, startLoopbackServer } from './loopback-server.ts'

/** What every service has that runs on this machine. */
export interface LocalService extends AsyncDisposable {
  readonly endpoint: string
  readonly region: string
  /** For the SDK's client. Any credentials are accepted: signatures are not verified. */
  readonly clientConfig: {
    readonly endpoint: string
    readonly region: string
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  }
  /** Later calls do nothing. */
  stop(): Promise<void>
}

/** Where every local service says that it is. */
export const localRegion = 'us-east-1'

export interface LocalServiceOptions {
  readonly port: number
  /** What has to be done, or waited for, before the connections are cut. */
  readonly beforeEnd?: () => Promise<unknown> | undefined
  readonly afterEnd?: () => unknown
}

/** Answers on loopback until it is stopped. */
export async function startLocalService(
  handle: RequestHandler,
  { port, beforeEnd, afterEnd }: LocalServiceOptions,
): Promise<LocalService> {
  const server = await startLoopbackServer(handle, port)
  const { endpoint } = server
  let stopping: Promise<void> | undefined
  const end = async (): Promise<void> => {
    await beforeEnd?.()
    await server.close()
    await afterEnd?.()
  }
  const stop = (): Promise<void> => {
    stopping ??= end()
    return stopping
  }
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  return {
    endpoint,
    region: localRegion,
    clientConfig: { endpoint, region: localRegion, credentials },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Work that goes on after its request was answered; a service that stops waits for it. */
export interface UnderWay {
  add(work: Promise<unknown>): void
  /** Resolves when nothing is under way, nor what was added in the meantime. */
  settled(): Promise<void>
}

export function createUnderWay(): UnderWay {
  const running = new Set<Promise<unknown>>()
  return {
    add(work) {
      running.add(work)
      const forget = (): boolean => running.delete(work)
      work.then(forget, forget)
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
