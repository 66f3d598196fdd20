/** As many rows as have time in a batch of two many times over. */
const maxGrowth = 10
const bytesPerStep = 65_536

/**
 * How many rows a chunk has. In a small file few, so that its chunks are worked on side by side; in a large one up to
 * ten times as many, since every chunk costs calls and a transaction of its own.
 */
export function toRowsPerChunk(fileBytes: number, minRows: number): number {
  return minRows * Math.min(maxGrowth, Math.max(1, Math.ceil(fileBytes / bytesPerStep)))
}
