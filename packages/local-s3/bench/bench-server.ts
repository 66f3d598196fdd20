import { createHash, randomUUID } from 'node:crypto'
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { startS3 } from '../src/index.ts'

/** A process that serves one object: `bare DIRECTORY` writes and reads the same files as `s3 DIRECTORY`, and no more. */
const [, , kind = '', directory = ''] = process.argv
const target = { Bucket: 'files', Key: 'data/object' }

async function serveBare(): Promise<object> {
  let current = ''
  async function put(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = randomUUID()
    const md5 = createHash('md5')
    const handle = await open(join(directory, file), 'wx')
    for await (const chunk of request) {
      md5.update(chunk)
      await handle.write(chunk)
    }
    await handle.close()
    const etag = md5.digest('hex')
    const record = join(directory, `${file}.json`)
    await writeFile(`${record}.new`, JSON.stringify({ etag, file }))
    await rename(`${record}.new`, join(directory, 'record.json'))
    const replaced = current
    current = file
    if (replaced !== '') await rm(join(directory, replaced), { force: true })
    response.writeHead(200, { etag, 'content-length': 0 }).end()
  }
  async function get(response: ServerResponse): Promise<void> {
    const content = await readFile(join(directory, current))
    response.writeHead(200, { 'content-length': content.length }).end(content)
  }
  const server = createServer((request, response) => {
    void (request.method === 'PUT' ? put(request, response) : get(response))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { endpoint, putUrl: endpoint, getUrl: endpoint }
}

async function serveS3(): Promise<object> {
  const { endpoint, region, credentials } = await startS3({ dataDirectory: directory, buckets: ['files'] })
  const client = new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  const putUrl = await getSignedUrl(client, new PutObjectCommand(target))
  const getUrl = await getSignedUrl(client, new GetObjectCommand(target))
  return { endpoint, putUrl, getUrl }
}

process.send?.(kind === 'bare' ? await serveBare() : await serveS3())
