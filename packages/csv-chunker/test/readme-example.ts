import { createFileSource, readChunk, splitToManifest } from '@stepwright/csv-chunker'

export async function countByPrefecture(path: string): Promise<Map<string, number>> {
  const source = createFileSource(path)
  const manifest = await splitToManifest(source, { rowsPerChunk: 5000 })

  const counts = new Map<string, number>()
  for (const chunk of manifest.chunks) {
    // Each chunk is a byte range: a worker of its own can read it, now or after a restart.
    for await (const { rows } of readChunk(source, manifest, chunk)) {
      for (const { prefecture = '' } of rows) counts.set(prefecture, (counts.get(prefecture) ?? 0) + 1)
    }
  }
  return counts
}
