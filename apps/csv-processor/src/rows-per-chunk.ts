/** With more, five batches that are worked on at once take more memory, for a tenth less time at best. */
const maxGrowth = 6
const bytesPerStep = 65_536

/**
 * How many rows a chunk has. In a small file few, so that its chunks are worked on side by side; in a large one up to
 * six times as many, since every chunk costs calls and a transaction of its own.
 */
export function toRowsPerChunk(fileBytes: number, minRows: number): number {
  return minRows * Math.min(maxGrowth, Math.max(1, Math.ceil(fileBytes / bytesPerStep)))
}
