import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const connections = 16

/** Sends requests one after another on each of a few connections, with as little of a client as there can be. */
export async function sendAll(
  endpoint: string,
  count: number,
  bodyOf: (index: number) => string,
  target = 'AWSStepFunctions.StartExecution',
): Promise<void> {
  const { host, hostname, port } = new URL(endpoint)
  let next = 0
  const work = async (): Promise<void> => {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.setNoDelay(true)
    while (next < count) {
      const body = bodyOf(next)
      next += 1
      socket.write(
        `POST / HTTP/1.1\r\nhost: ${host}\r\nx-amz-target: ${target}\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
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
