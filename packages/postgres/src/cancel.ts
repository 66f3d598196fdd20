import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'

interface Cancellable {
  readonly processID: number
  readonly secretKey: number
  readonly host: string
  readonly port: number
  readonly ssl: boolean | Readonly<Record<string, unknown>>
}

const sslRequest = message([80877103])
const giveUpMs = 5_000

/**
 * Asks the server to stop what the client's connection is running; the statement then fails with 57014. The
 * request takes a connection of its own, encrypted if the client's is (pg's own `cancel` can't do that). Never
 * throws: a server that cannot be reached has nothing to cancel.
 */
export function cancelOnServer(client: object): void {
  const { processID, secretKey, host, port, ssl } = client as Cancellable
  const request = message([80877102, processID, secretKey])
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  finishQuietly(socket)
  if (!(socketOf(client) instanceof TLSSocket)) {
    socket.once('connect', () => socket.end(request))
    return
  }
  socket.once('connect', () => socket.write(sslRequest))
  socket.once('data', () => {
    const secure = connectTls({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(typeof ssl === 'object' ? ssl : {}),
    })
    finishQuietly(secure)
    secure.once('secureConnect', () => secure.end(request))
  })
}

/** The socket of a client of pg's. */
export function socketOf(client: object): Socket {
  return (client as { readonly connection: { readonly stream: Socket } }).connection.stream
}

function message(words: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 + words.length * 4)
  buffer.writeInt32BE(buffer.length)
  for (const [i, word] of words.entries()) buffer.writeInt32BE(word, 4 + i * 4)
  return buffer
}

function finishQuietly(socket: Socket): void {
  socket.on('error', () => socket.destroy())
  socket.setTimeout(giveUpMs, () => socket.destroy())
  socket.unref()
}
