import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import pg from 'pg'
import { socketOf } from '../cancel.ts'

export interface IamProxyOptions {
  /** The server behind it, with its own user and password. */
  readonly databaseUrl: string
  readonly key: string
  readonly cert: string
  /** Whether the password of a user is a token that it takes. */
  readonly accepts: (token: string, user: string) => Promise<boolean>
}

/** Stands before a server as RDS Proxy does: TLS or nothing, and a token where a password would be. */
export async function startIamProxy(
  options: IamProxyOptions,
): Promise<{ readonly port: number } & AsyncDisposable> {
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    void greet(socket, options).catch(() => socket.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await once(server.close(), 'close')
    },
  }
}

async function greet(plain: Socket, { databaseUrl, key, cert, accepts }: IamProxyOptions): Promise<void> {
  const [request] = (await once(plain, 'data')) as [Buffer]
  const asksForTls = request.length === 8 && request.readInt32BE(4) === 80877103
  if (!asksForTls) {
    plain.end(message('E', 'SFATAL\0C28000\0MThis RDS Proxy requires TLS connections\0\0'))
    return
  }
  plain.write('S')
  const client = new TLSSocket(plain, { isServer: true, key, cert })
  client.on('error', () => client.destroy())
  const [startup] = (await once(client, 'data')) as [Buffer]
  const fields = startup.subarray(8).toString().split('\0')
  const user = fields[fields.indexOf('user') + 1] ?? ''
  client.write(message('R', int32(3))) // a password in clear text
  const [answer] = (await once(client, 'data')) as [Buffer]
  const token = answer.subarray(5, -1).toString()
  if (!(await accepts(token, user))) {
    client.end(message('E', `SFATAL\0C28P01\0MThe IAM authentication failed for the role ${user}\0\0`))
    return
  }
  const backend = new pg.Client({ connectionString: databaseUrl })
  backend.on('error', () => client.destroy())
  await backend.connect()
  const server = socketOf(backend)
  server.removeAllListeners('data')
  client.write(Buffer.concat([message('R', int32(0)), message('Z', 'I')]))
  client.pipe(server).pipe(client)
  client.on('close', () => server.destroy())
}

function message(type: string, content: string | Buffer): Buffer {
  const body = Buffer.from(content)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}
