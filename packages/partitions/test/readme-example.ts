import { holdLock, type JsonObjects, type PartitionLock, publishRun } from '@stepwright/partitions'
import * as z from 'zod'

const manifest = z.object({ prefix: z.string(), replaces: z.string().optional(), files: z.array(z.string()) })

/** The files of a run become the day's files, all at once, unless another worker has taken over the day. */
export function publishDay(objects: JsonObjects, lock: PartitionLock, day: string, run: string) {
  const prefix = `runs/${day}/${run}/`
  return publishRun({
    objects,
    manifestKey: `${day}/manifest.json`,
    schema: manifest,
    prefix,
    replace: true,
    isOwner: () => holdLock(lock, day, run),
    build: () => ({ prefix, files: [`${prefix}part-0.parquet`] }),
  })
}
