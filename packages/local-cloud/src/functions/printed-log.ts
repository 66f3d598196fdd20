import { AsyncLocalStorage } from 'node:async_hooks'

/** Lambda's tail of a log. */
const maxCharacters = 4096

const recording = new AsyncLocalStorage<{ log: string }>()
let isListening = false

/** Runs a call and keeps the end of what it prints, apart from what other calls print meanwhile. */
export async function recordPrinted<T>(
  call: () => Promise<T>,
  isWanted: boolean,
): Promise<{ readonly result: T; readonly log?: string }> {
  if (!isWanted) return { result: await call() }
  listen()
  const printed = { log: '' }
  const result = await recording.run(printed, call)
  return { result, log: printed.log }
}

function listen(): void {
  if (isListening) return
  isListening = true
  for (const stream of [process.stdout, process.stderr]) {
    const { write } = stream
    stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      const printed = recording.getStore()
      if (printed !== undefined) printed.log = (printed.log + toText(chunk)).slice(-maxCharacters)
      return Reflect.apply(write, stream, [chunk, ...rest])
    }) as typeof write
  }
}

function toText(chunk: string | Uint8Array): string {
  return typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
}
