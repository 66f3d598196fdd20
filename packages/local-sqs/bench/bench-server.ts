import { openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startSqs } from '../src/index.ts'

/** A process that serves: `bare DIRECTORY` appends a line for each request, `sqs DIRECTORY` is the real one. */
const [, , kind = '', directory = ''] = process.argv

async function serveBare(): Promise<string> {
  const file = openSync(join(directory, 'lines'), 'a')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const { QueueUrl, MessageBody } = JSON.parse(String(Buffer.concat(chunks)))
      writeSync(file, `${JSON.stringify({ QueueUrl, MessageBody })}\n`)
      const text = JSON.stringify({ QueueUrl, MessageBody })
      response.writeHead(200, { 'content-length': Buffer.byteLength(text) }).end(text)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const endpoint = kind === 'bare' ? await serveBare() : (await startSqs({ dataDirectory: directory })).endpoint
process.send?.({ endpoint })
