import { startS3 } from '../src/s3.ts'

// Serves until its input ends, then says how much memory it took at most and holds at last, in KB.
const [, , dataDirectory] = process.argv
const s3 = await startS3({
  buckets: ['files'],
  ...(dataDirectory === undefined ? {} : { dataDirectory }),
})
const { endpoint, region, credentials } = s3
process.stdout.write(`${JSON.stringify({ endpoint, region, credentials })}\n`)
process.stdin.resume()
process.stdin.on('end', async () => {
  await s3.stop()
  const { heapUsed, external } = process.memoryUsage()
  const held = Math.round((heapUsed + external) / 1024)
  process.stdout.write(`${JSON.stringify({ peak: process.resourceUsage().maxRSS, held })}\n`)
})
