import { openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A process that serves: `bare DIRECTORY` appends a line for each request, `step-functions DIRECTORY` is the real one. */
const [, , kind = '', directory = ''] = process.argv

async function serveBare(): Promise<string> {
  const file = openSync(join(directory, 'lines'), 'a')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      writeSync(file, `${Buffer.concat(chunks)}\n`)
      const text = '{}'
      response.writeHead(200, { 'content-length': text.length }).end(text)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function serveStepFunctions(): Promise<string> {
  // The bare server must not load it.
  const { startStepFunctions } = await import('../src/index.ts')
  startMs = performance.now()
  const service = await startStepFunctions({
    dataDirectory: directory,
    retention: { executions: 100_000 },
  })
  return service.endpoint
}

let startMs = performance.now()
const endpoint = kind === 'bare' ? await serveBare() : await serveStepFunctions()
process.send?.({ endpoint, startedInMs: performance.now() - startMs })
process.on('message', () => {
  globalThis.gc?.()
  process.send?.({ rssMb: process.memoryUsage.rss() / 2 ** 20 })
})
