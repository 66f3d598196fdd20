// What the API says; see `src/show-campaign.ts`.

export type CampaignStatus =
  | '取込中'
  | '取込失敗'
  | '送信予約済'
  | '送信中'
  | '送信停止'
  | '送信済'
  | '取消済'

export interface Summary {
  readonly campaign_id: string
  readonly status: CampaignStatus
  readonly subject: string
  readonly scheduled_at: string
  readonly total_count: number | null
}

export interface Campaign extends Summary {
  readonly duplicate_count: number | null
  readonly rejected_count: number | null
  readonly rejected_rows: readonly { readonly row: number; readonly reason: string }[]
  readonly progress: number
  readonly resending: boolean
  readonly sending: {
    readonly sent: number
    readonly bounced: number
    readonly complained: number
    readonly suppressed: number
    readonly unconfirmed: number
    readonly pending: number
  } | null
  readonly failure_reason: {
    readonly message: string
    readonly code?: string
    readonly details?: { readonly rowNumber?: number; readonly found?: readonly string[] }
  } | null
}

export interface CampaignContent {
  readonly subject: string
  readonly body_html: string
  readonly body_text: string
  readonly from_address: string
  readonly scheduled_at: string
  readonly s3_key: string
}

/** Whether it changes by itself, and is to be looked at again. */
export function isMoving({ status }: Summary): boolean {
  return status === '取込中' || status === '送信予約済' || status === '送信中'
}

export function canBeChanged({ status }: Summary): boolean {
  return status !== '送信中' && status !== '送信済' && status !== '取消済'
}

export function canBeCancelled({ status }: Summary): boolean {
  return status === '取込中' || status === '送信予約済' || status === '送信停止'
}

export function formatTime(iso: string): string {
  return new Date(iso).toLocaleString('ja-JP', { dateStyle: 'medium', timeStyle: 'short' })
}

export function formatCount(count: number | null): string {
  return count === null ? '–' : count.toLocaleString('ja-JP')
}
