import assert from 'node:assert/strict'

export interface CampaignView {
  readonly status: string
  readonly total_count: number | null
  readonly failure_reason: { readonly error: string; readonly message: string } | null
  readonly sending: { readonly sent: number; readonly bounced: number } | null
}

/** The app's HTTP API, as its frontend uses it. */
export interface CampaignApi {
  /** Uploads a CSV to S3 through a presigned URL. */
  upload(csv: Uint8Array): Promise<{ readonly s3_key: string }>
  register(content: { readonly s3_key: string; readonly scheduled_at: string }): Promise<string>
  show(campaignId: string): Promise<CampaignView>
}

export function createCampaignApi(endpoint: string, token: string): CampaignApi {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(endpoint + path, { ...init, headers })
    const body = (await response.json()) as T
    assert.ok(response.ok, `${path}: ${response.status} ${JSON.stringify(body)}`)
    return body
  }

  return {
    async upload(csv) {
      const { s3_key, presigned_url } = await call<{ s3_key: string; presigned_url: string }>(
        `/presigned-url?content_length=${csv.length}`,
      )
      const response = await fetch(presigned_url, {
        method: 'PUT',
        headers: { 'content-type': 'text/csv' },
        body: csv as Uint8Array<ArrayBuffer>,
      })
      assert.equal(response.status, 200, await response.text())
      return { s3_key }
    },
    async register(content) {
      const body = JSON.stringify({
        subject: '秋のお知らせ',
        body_html: '<p>こんにちは</p>',
        body_text: 'こんにちは',
        from_address: 'shop@example.com',
        ...content,
      })
      const { campaign_id } = await call<{ campaign_id: string }>('/campaigns', { method: 'POST', body })
      return campaign_id
    },
    show: campaignId => call(`/campaigns/${campaignId}`),
  }
}
