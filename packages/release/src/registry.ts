import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { runServer } from 'verdaccio'

export interface Registry {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string
  close(): Promise<void>
}

/** An npm registry on loopback that anybody may publish to, and that knows of no other registry. */
export async function startRegistry(directory: string): Promise<Registry> {
  const server = (await runServer({
    storage: join(directory, 'storage'),
    self_path: directory,
    auth: { htpasswd: { file: join(directory, 'htpasswd') } },
    uplinks: {},
    packages: { '**': { access: '$all', publish: '$all' } },
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'fatal' },
  } as unknown as Parameters<typeof runServer>[0])) as Server
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
