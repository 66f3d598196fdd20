import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { auditDependencies } from './audit.ts'

const workspace = join(import.meta.dirname, '../../..')

/** Asks a registry that answers every request so. */
async function audit(status: number, answer: unknown) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end(JSON.stringify(answer)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    return await auditDependencies(workspace, { registry: `http://127.0.0.1:${port}/` })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

describe('auditDependencies', { timeout: 30_000 }, () => {
  it('tells of faults that the registry knows', async () => {
    const fault = { id: 1, title: 'reads minds', severity: 'high', url: 'https://example.com/1' }
    expect(await audit(200, { zod: [{ ...fault, vulnerable_versions: '<99' }] })).toEqual([
      { package: 'zod', severity: 'high', title: 'reads minds', url: 'https://example.com/1' },
    ])
  })

  it('says that there are none', async () => {
    expect(await audit(200, {})).toEqual([])
  })

  it('says that it does not know where the registry answers no audit', async () => {
    expect(await audit(405, {})).toBeUndefined()
  })

  it('gives up after its time', async () => {
    expect(await auditDependencies(workspace, { timeoutMs: 1 })).toBeUndefined()
  })
})
