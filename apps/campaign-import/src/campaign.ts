import type { SuppressionReason } from '@stepwright/mail'

/** The stages of a campaign, in the words that staff see. */
export const status = {
  importing: '取込中',
  importFailed: '取込失敗',
  scheduled: '送信予約済',
  sending: '送信中',
  /** By staff, or because the sender or the content was refused: a PUT books the rest anew. */
  stopped: '送信停止',
  sent: '送信済',
  /** By staff: nothing more is imported or sent. */
  cancelled: '取消済',
} as const

export type CampaignStatus = (typeof status)[keyof typeof status]

export interface RejectedRow {
  /** Counted from 1, without the header and empty lines. */
  readonly row: number
  readonly reason: string
}

export interface FailureReason {
  readonly error: string
  readonly message: string
  readonly code?: string
  readonly details?: Readonly<Record<string, unknown>>
}

export interface Recipient {
  readonly email: string
  readonly name: string | null
  /** The other columns of the CSV by their titles; null if there are none. */
  readonly fields: Readonly<Record<string, string>> | null
  /** Why nothing is sent to the address, if so. */
  readonly suppressed: SuppressionReason | null
}
