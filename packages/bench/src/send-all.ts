import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const connections = 16

/**
 * Sends requests to a URL one after another on each of a few connections, with as little of a client as there
 * can be. Rejects for an answer other than 200.
 */
export async function sendAll(
  url: string,
  count: number,
  bodyOf: (index: number) => string,
  headers: Readonly<Record<string, string>> = {},
  method: 'GET' | 'POST' | 'PUT' = 'POST',
): Promise<void> {
  const { host, hostname, port, pathname, search } = new URL(url)
  const head = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  let next = 0
  const work = async (): Promise<void> => {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.setNoDelay(true)
    while (next < count) {
      const body = bodyOf(next)
      next += 1
      socket.write(
        `${method} ${pathname}${search} HTTP/1.1\r\n${head.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
      await answered(socket)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, work))
}

function answered(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const read = (chunk: Buffer): void => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (text.length < end + 4 + length) return
      socket.off('data', read)
      if (text.startsWith('HTTP/1.1 200')) resolve()
      else reject(new Error(text))
    }
    socket.on('data', read)
  })
}
