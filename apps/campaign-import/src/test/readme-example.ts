import { app } from '@stepwright/campaign-import'
import { startApp } from '@stepwright/local-cloud'

export async function importRecipients(csv: string) {
  await using running = await startApp(app)
  const imported = running.ended('import')

  const api = `${running.gateway?.endpoint}`
  const headers = { authorization: `Bearer ${running.gateway?.issueToken({ sub: 'ann' })}` }
  const answer = await fetch(`${api}/presigned-url?content_length=${Buffer.byteLength(csv)}`, { headers })
  const { s3_key, presigned_url } = (await answer.json()) as Record<string, string>
  await fetch(`${presigned_url}`, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: csv })
  const body = JSON.stringify({
    subject: 'News',
    body_html: '<p>Hello</p>',
    body_text: 'Hello',
    from_address: 'Shop <news@example.com>',
    scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
    s3_key,
  })
  await fetch(`${api}/campaigns`, { method: 'POST', headers, body }) // 202 { "campaign_id": … }
  return (await imported).output // { "total_count": 2, "duplicate_count": 0, "rejected_count": 0, … }
}
