import { fileURLToPath } from 'node:url'
import { figure, peakRssMb } from '@stepwright/bench'
import { quotedFile, recipientsFile } from './files.ts'

const script = fileURLToPath(import.meta.resolve('./memory-run.ts'))
const small = await recipientsFile()
const large = await quotedFile()

const peaks: number[] = []
for (const work of ['split', 'parse']) {
  const [before, after] = [await peakRssMb(script, [work, small]), await peakRssMb(script, [work, large])]
  console.log(`${work}: ${before.toFixed(0)} MB for 10 MB, ${after.toFixed(0)} MB for 1 GB`)
  peaks.push(after)
}
figure('csv.rss_mb', Math.max(...peaks), { atMost: 128 })
