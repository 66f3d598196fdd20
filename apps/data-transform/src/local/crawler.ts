import { createS3ObjectStore, type S3ObjectStore } from '@stepwright/object-store/s3'
import { parseSettings } from '@stepwright/task/settings'
import * as z from 'zod/mini'
import { readJson, replaceJson } from '../json-object.ts'
import { crawl } from './catalog.ts'

const crawlerSettings = /* @__PURE__ */ z.object({ CURATED_BUCKET: z.string() })

/** A crawler as GetCrawler tells of it, as far as anybody asks. */
const crawlerSchema = /* @__PURE__ */ z.object({
  Name: z.string(),
  State: z.enum(['READY', 'RUNNING', 'STOPPING']),
  LastCrawl: z.optional(z.object({ Status: z.enum(['SUCCEEDED', 'CANCELLED', 'FAILED']) })),
})

interface CrawlerCall {
  readonly Name: string
}

interface StandInContext {
  readonly signal: AbortSignal
}

/** Stands for `aws-sdk:glue:startCrawler`: from now on the crawler runs. */
export async function startCrawler({ Name }: CrawlerCall, { signal }: StandInContext): Promise<object> {
  return withBucket(async curated => {
    const { found } = await settle(curated, Name, signal)
    const isFree = found === undefined || found.value.State === 'READY'
    const running = { ...found?.value, Name, State: 'RUNNING' }
    if (isFree && (await replaceJson(curated, crawlerKey(Name), running, found, { signal }))) return {}
    throw Object.assign(new Error(`${Name} is running`), { name: 'Glue.CrawlerRunningException' })
  })
}

/** Stands for `aws-sdk:glue:getCrawler`. */
export async function getCrawler({ Name }: CrawlerCall, { signal }: StandInContext): Promise<object> {
  return withBucket(async curated => ({ Crawler: (await settle(curated, Name, signal)).crawler }))
}

/**
 * A crawler that runs ends as soon as anybody asks for it, since nothing goes on meanwhile: also one whose starter
 * was killed.
 */
async function settle(curated: S3ObjectStore, Name: string, signal: AbortSignal) {
  const found = await readJson(curated, crawlerKey(Name), crawlerSchema, { signal })
  if (found?.value.State !== 'RUNNING') return { found, crawler: found?.value ?? { Name, State: 'READY' } }
  await crawl(curated, signal)
  const crawler = { Name, State: 'READY', LastCrawl: { Status: 'SUCCEEDED' } }
  await curated.put(crawlerKey(Name), JSON.stringify(crawler), { signal })
  return { found, crawler }
}

async function withBucket(work: (curated: S3ObjectStore) => Promise<object>): Promise<object> {
  const curated = createS3ObjectStore({ bucket: parseSettings(crawlerSettings).CURATED_BUCKET })
  try {
    return await work(curated)
  } finally {
    curated.close()
  }
}

export function crawlerKey(name: string): string {
  return `_catalog/crawlers/${name}.json`
}
