import { openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startDynamoDb } from '../src/index.ts'

/**
 * A process that serves: `bare DIRECTORY` keeps items in memory and appends a line for each that is put, `dynamodb
 * DIRECTORY` is the real one.
 */
const [, , kind = '', directory = ''] = process.argv

async function serveBare(): Promise<string> {
  const file = openSync(join(directory, 'lines'), 'a')
  const items = new Map<string, unknown>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const { Item, Key } = JSON.parse(String(Buffer.concat(chunks)))
      if (Item) {
        items.set(Item.id.S, Item)
        writeSync(file, `${JSON.stringify(Item)}\n`)
      }
      const text = JSON.stringify(Item ? {} : { Item: items.get(Key.id.S) })
      response.writeHead(200, { 'content-length': Buffer.byteLength(text) }).end(text)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const endpoint =
  kind === 'bare' ? await serveBare() : (await startDynamoDb({ dataDirectory: directory })).endpoint
process.send?.({ endpoint })
