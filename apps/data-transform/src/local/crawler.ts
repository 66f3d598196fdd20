import type { StandInContext } from '@stepwright/app/functions'
import { type ObjectStore, readJson, replaceJson } from '@stepwright/object-store'
import * as z from 'zod/mini'
import { crawl } from './catalog.ts'

/** A crawler as GetCrawler tells of it, as far as anybody asks. */
const crawlerSchema = z.object({
  Name: z.string(),
  State: z.enum(['READY', 'RUNNING', 'STOPPING']),
  LastCrawl: z.optional(z.object({ Status: z.enum(['SUCCEEDED', 'CANCELLED', 'FAILED']) })),
})

interface CrawlerCall {
  readonly Name: string
}

export interface CrawlerPorts {
  readonly curated: Pick<ObjectStore, 'get' | 'put' | 'list'>
}

/** `StartCrawler`: from now on the crawler runs. */
export async function startCrawlerOf(
  { Name }: CrawlerCall,
  { curated }: CrawlerPorts,
  { signal }: StandInContext,
): Promise<object> {
  const { found } = await settle(curated, Name, signal)
  const isFree = found === undefined || found.value.State === 'READY'
  const running = { ...found?.value, Name, State: 'RUNNING' }
  if (isFree && (await replaceJson(curated, crawlerKey(Name), running, found, { signal }))) return {}
  throw Object.assign(new Error(`${Name} is running`), { name: 'Glue.CrawlerRunningException' })
}

export async function getCrawlerOf(
  { Name }: CrawlerCall,
  { curated }: CrawlerPorts,
  { signal }: StandInContext,
): Promise<object> {
  return { Crawler: (await settle(curated, Name, signal)).crawler }
}

/** A running crawler ends as soon as anybody asks for it, also one whose starter was killed. */
async function settle(curated: CrawlerPorts['curated'], Name: string, signal: AbortSignal) {
  const found = await readJson(curated, crawlerKey(Name), crawlerSchema, { signal })
  if (found?.value.State !== 'RUNNING') return { found, crawler: found?.value ?? { Name, State: 'READY' } }
  await crawl(curated, signal)
  const crawler = { Name, State: 'READY', LastCrawl: { Status: 'SUCCEEDED' } }
  await curated.put(crawlerKey(Name), JSON.stringify(crawler), { signal })
  return { found, crawler }
}

export function crawlerKey(name: string): string {
  return `_catalog/crawlers/${name}.json`
}
