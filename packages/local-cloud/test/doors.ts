import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** The status that a server gives to a request with these headers, which no client of ours could send. */
export async function statusOf(endpoint: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const socket = connect(Number(new URL(endpoint).port), '127.0.0.1')
  await once(socket, 'connect')
  const lines = Object.entries({ ...headers, Connection: 'close', 'Content-Length': '2' })
  socket.write(`POST / HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{}`)
  return Number((await text(socket)).split(' ')[1])
}
