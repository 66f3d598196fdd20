import type { Campaign, CampaignContent, Summary } from './campaign.ts'
import { inJapanese } from './in-japanese.ts'
import { readToken } from './token.ts'

/** A refusal of the API, with what is wrong by its field. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly issues: Readonly<Record<string, string>>

  constructor({ detail, code, details }: Problem) {
    super(detail === undefined ? 'サーバーに接続できません。' : inJapanese(detail, code))
    this.issues = Object.fromEntries((details?.issues ?? []).map(({ path, message }) => [path, message]))
  }
}

interface Problem {
  readonly detail?: string
  readonly code?: string
  readonly details?: { readonly issues?: readonly { readonly path: string; readonly message: string }[] }
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { authorization: `Bearer ${readToken()}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refusal({})
  })
  const answer = (await response.json().catch(() => ({}))) as Problem
  if (!response.ok) throw new Refusal(answer)
  return answer as T
}

export async function listCampaigns(): Promise<readonly Summary[]> {
  return (await call<{ campaigns: readonly Summary[] }>('GET', '/campaigns')).campaigns
}

export function showCampaign(id: string): Promise<Campaign> {
  return call('GET', `/campaigns/${id}`)
}

export async function readContent(id: string): Promise<CampaignContent> {
  return (await call<{ content: CampaignContent }>('GET', `/campaigns/${id}?content=true`)).content
}

/** Registers a campaign, or changes one; its id. */
export async function saveCampaign(id: string | undefined, content: CampaignContent): Promise<string> {
  const [method, path] = id === undefined ? ['POST', '/campaigns'] : ['PUT', `/campaigns/${id}`]
  return (await call<{ campaign_id: string }>(method, path, content)).campaign_id
}

export type Action = 'pause' | 'resend' | 'cancel'

export async function tell(id: string, action: Action): Promise<void> {
  await call('POST', `/campaigns/${id}/${action}`)
}

/** Puts a file where the API says; the key of it. `onProgress` hears of the part that is done, from 0 to 1. */
export async function upload(file: File, onProgress: (part: number) => void): Promise<string> {
  const place = await call<{ s3_key: string; presigned_url: string }>(
    'GET',
    `/presigned-url?content_length=${file.size}`,
  )
  // fetch does not tell how far an upload is.
  const request = new XMLHttpRequest()
  request.open('PUT', place.presigned_url)
  request.setRequestHeader('content-type', 'text/csv')
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Refusal({ detail: 'アップロードに失敗しました。もう一度お試しください。' }))
    request.onload = () => (request.status === 200 ? resolve() : fail())
    request.onerror = fail
    request.send(file)
  })
  return place.s3_key
}
