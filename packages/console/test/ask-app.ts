import type { RunningApp } from '@stepwright/local-cloud'

/** Calls an app's API as a user with a token; its answer. */
export async function askApp<T>(
  { gateway }: RunningApp,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${gateway?.endpoint}${path}`, {
    method,
    headers: { authorization: `Bearer ${gateway?.issueToken({ sub: 'ann' })}` },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()) as T
}

/** Uploads recipients and posts a campaign with them that is due in an hour; its id. */
export async function postCampaign(running: RunningApp, csv: string): Promise<string> {
  const { presigned_url, s3_key } = await askApp<{ presigned_url: string; s3_key: string }>(
    running,
    'GET',
    `/presigned-url?content_length=${Buffer.byteLength(csv)}`,
  )
  await fetch(presigned_url, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: csv })
  const { campaign_id } = await askApp<{ campaign_id: string }>(running, 'POST', '/campaigns', {
    subject: 'News',
    body_html: '<h1>News</h1><p>Hello.</p>',
    body_text: 'Hello.',
    from_address: 'Shop <news@example.jp>',
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
    s3_key,
  })
  return campaign_id
}

export function recipients(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => `user${index}@example.jp,User ${index}\n`)
  return `email,name\n${rows.join('')}`
}

/** Asks for a generation; the id of its job. */
export async function postGeneration(running: RunningApp, goal: string): Promise<string> {
  const body = { type: 'SUBGOAL_GENERATION', params: { goal } }
  const { data } = await askApp<{ data: { processId: string } }>(
    running,
    'POST',
    '/api/ai/async/generate',
    body,
  )
  return data.processId
}
