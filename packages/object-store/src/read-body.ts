import type { StoredObject } from './object-store.ts'

/** The whole body. For small objects: it is held in memory. */
export async function readBytes({ body }: Pick<StoredObject, 'body'>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The whole body as UTF-8. */
export async function readText(object: Pick<StoredObject, 'body'>): Promise<string> {
  return (await readBytes(object)).toString('utf8')
}
