import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { compare, figure, sendAll } from '@stepwright/bench'

const perRound = 5000

interface Server {
  readonly child: ChildProcess
  readonly send: () => Promise<void>
}

async function start(kind: 'bare' | 'gateway'): Promise<Server> {
  const child = fork(join(import.meta.dirname, '../test/gateway-server.ts'), [kind])
  const [{ endpoint, token }] = (await once(child, 'message')) as [{ endpoint: string; token: string }]
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const bodyOf = (index: number) => JSON.stringify({ name: `campaign ${index}`, audience: 'all' })
  return { child, send: () => sendAll(`${endpoint}/campaigns/7`, perRound, bodyOf, headers) }
}

const servers = { bare: await start('bare'), gateway: await start('gateway') }
try {
  const timings = await compare('5,000 requests with a token and a body, answered by a function', {
    bare: servers.bare.send,
    gateway: servers.gateway.send,
  })
  figure('gateway.vs_bare_http', timings.bare.medianMs / timings.gateway.medianMs, { atLeast: 0.6 })
} finally {
  for (const { child } of Object.values(servers)) child.kill('SIGKILL')
}
