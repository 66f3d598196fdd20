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
    const found = await readJson(curated, crawlerKey(Name), crawlerSchema, { signal })
    const running = { ...(found?.value ?? { Name }), State: 'RUNNING' }
    const isFree = found === undefined || found.value.State === 'READY'
    if (isFree && (await replaceJson(curated, crawlerKey(Name), running, found, { signal }))) return {}
    throw Object.assign(new Error(`${Name} is running`), { name: 'Glue.CrawlerRunningException' })
  })
}

/** Stands for `aws-sdk:glue:getCrawler`. A crawl is made when it is first asked for, since nothing runs meanwhile. */
export async function getCrawler({ Name }: CrawlerCall, { signal }: StandInContext): Promise<object> {
  return withBucket(async curated => {
    const found = await readJson(curated, crawlerKey(Name), crawlerSchema, { signal })
    if (found?.value.State !== 'RUNNING') return { Crawler: found?.value ?? { Name, State: 'READY' } }
    await crawl(curated, signal)
    const Crawler = { Name, State: 'READY', LastCrawl: { Status: 'SUCCEEDED' } }
    await curated.put(crawlerKey(Name), JSON.stringify(Crawler), { signal })
    return { Crawler }
  })
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
