import { type ObjectStore, readText } from '@stepwright/object-store'

export async function claimUpload(store: ObjectStore, id: string, csvBytes: number): Promise<string> {
  // For the browser: exactly this type and length, for 15 minutes.
  const upload = await store.presignPut(`uploads/${id}.csv`, {
    contentType: 'text/csv',
    contentLength: csvBytes,
  })
  // Only the first claim is stored; a second is a ConflictError.
  await store.put(`claims/${id}`, upload.url, { ifNoneMatch: '*' })
  return readText(await store.get(`claims/${id}`, { range: { offset: 0, length: 6 } }))
}
